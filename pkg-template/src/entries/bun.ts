export * from "./node.js";
