// POST /chat { user, session, message } answers, POST /end { user, session } settles a session.

import { env } from "cloudflare:workers";
import { scheduled } from "siltstone/maintain";
import { memory } from "./memory.js";

export { ChatSession } from "./session.js";

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (request.method !== "POST" || !["/chat", "/end"].includes(pathname)) {
      return new Response("POST /chat or /end\n", { status: 404 });
    }
    // In an app of yours the user comes from the sign-in, not from the body.
    const { user, session, message } = await request.json<Record<string, string>>();
    const scope = { user, session };
    const object = env.SESSIONS.getByName(JSON.stringify([user, session]));
    return pathname === "/chat" ? object.chat(scope, message) : object.end(scope);
  },
  scheduled: scheduled(() => memory),
} satisfies ExportedHandler<Env>;
