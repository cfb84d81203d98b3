export { handleMcp } from "./http.js";
export { createMemoryServer, type Remembering } from "./server.js";
