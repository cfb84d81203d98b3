export { type HistoryFields, SiltstoneChatMessageHistory } from "./langchain/history.js";
export { fromLangChain, toLangChain } from "./langchain/messages.js";
export { type TrimOptions, trimMessages } from "./langchain/trim.js";
