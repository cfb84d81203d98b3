/** Text within a message. */
export interface TextPart {
  type: "text";
  text: string;
}

/** An image within a message, in OpenAI's shape. */
export interface ImagePart {
  type: "image_url";
  image_url: { url: string; detail?: "auto" | "low" | "high" };
}

/** Sound within a message, in OpenAI's shape. */
export interface AudioPart {
  type: "input_audio";
  input_audio: { data: string; format: "wav" | "mp3" };
}

/** A file within a message, in OpenAI's shape. */
export interface FilePart {
  type: "file";
  file: { file_data?: string; file_id?: string; filename?: string };
}

/** The model's refusal within a message, in OpenAI's shape. */
export interface RefusalPart {
  type: "refusal";
  refusal: string;
}

/** A tool call within a message. */
export interface ToolCallPart {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  input?: unknown;
}

/** A tool's answer within a message. */
export interface ToolResultPart {
  type: "tool-result";
  toolCallId: string;
  toolName?: string;
  output?: unknown;
}

/** Any part of a message. Fields that are not named here are kept as well. */
export type ContentPart =
  | TextPart
  | ImagePart
  | AudioPart
  | FilePart
  | RefusalPart
  | ToolCallPart
  | ToolResultPart;

/** A call of a function that the model asks for, in OpenAI's shape. */
export interface FunctionToolCall {
  id: string;
  type: "function";
  function: {
    name: string;
    /** The arguments, as JSON text. */
    arguments: string;
  };
}

/** A call of a free-form tool that the model asks for, in OpenAI's shape. */
export interface CustomToolCall {
  id: string;
  type: "custom";
  custom: { name: string; input: string };
}

/** A call that the model asks for, in OpenAI's shape. */
export type ToolCall = FunctionToolCall | CustomToolCall;

/** What every message may have. */
export interface MessageFields {
  /** Unique within the session; made when the message is stored without one. */
  id?: string;
  /** When it was said, in milliseconds since the epoch; the time of storing without one. */
  createdAt?: number;
  /** Whatever you want to keep with it. */
  meta?: unknown;
}

/** Instructions to the model. */
export interface SystemMessage extends MessageFields {
  role: "system" | "developer";
  content: string | TextPart[];
  name?: string;
}

/** What the person said. */
export interface UserMessage extends MessageFields {
  role: "user";
  content: string | (TextPart | ImagePart | AudioPart | FilePart)[];
  name?: string;
}

/** What the model said, or the tools it wants to call. */
export interface AssistantMessage extends MessageFields {
  role: "assistant";
  content?: string | (TextPart | RefusalPart)[] | null;
  name?: string;
  tool_calls?: ToolCall[];
}

/** What a tool answered. */
export interface ToolMessage extends MessageFields {
  role: "tool";
  content: string | TextPart[];
  /** The call that it answers. */
  tool_call_id: string;
}

/**
 * One message of a conversation, in the shape of OpenAI's chat API. Fields that are not named here
 * come back as they were given.
 */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** Whose data a call is about. Nothing is read or written across `tenant` and `user`. */
export interface Scope {
  /** The customer whose users these are; `"default"` without one. At most 128 bytes, as every id. */
  tenant?: string;
  /** The person. */
  user: string;
  /** The agent that speaks with them. */
  agent?: string;
  /** The conversation. */
  session?: string;
}

/** A scope that names a conversation. */
export interface SessionScope extends Scope {
  session: string;
}
