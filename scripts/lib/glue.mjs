// What wasm-bindgen writes, made faster where a process is cold.

const WRAPPED =
  /: function\(\) \{ return handleError\(function \(([^)]*)\) \{\n([\s\S]*?)\n {8}\}, arguments\); \}/g;

/**
 * Imports that may throw are functions of their own parameters, and not of `arguments` that are passed on.
 * To an engine the number of their parameters is else not that of the import, for which V8 compiles another
 * adapter at the start; and every call makes a list of its arguments and a function.
 */
export function direct(glue) {
  const written = glue.replaceAll(
    WRAPPED,
    (_, parameters, body) => `: function(${parameters}) {
            try {
    ${body.replaceAll("\n", "\n    ")}
            } catch (error) {
                handleError(() => { throw error; });
            }
        }`,
  );
  if (written === glue || written.includes("arguments);")) {
    throw new Error("wasm-bindgen writes imports that may throw in another way");
  }
  return written;
}
