import type { Message, SessionScope } from "../messages.js";
import type { Siltstone } from "../siltstone.js";

/** The most that one call of `messages` gives. */
const PAGE = 1_000;

/** The newest messages of a session, oldest first, page by page. */
export async function newest(
  memory: Pick<Siltstone, "messages">,
  scope: SessionScope,
  limit: number,
): Promise<Message[]> {
  const pages: Message[][] = [];
  let left = limit;
  let before: string | undefined;
  while (left > 0) {
    const size = Math.min(left, PAGE);
    const options = { limit: size, ...(before !== undefined && { before }) };
    const { messages } = await memory.messages(scope, options);
    pages.unshift(messages);
    left -= messages.length;
    before = messages[0]?.id;
    if (messages.length < size || before === undefined) {
      break;
    }
  }
  return pages.flat();
}
