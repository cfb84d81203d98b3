// What wasm-bindgen writes around imports that may throw: a function without parameters that passes its
// `arguments` on. To an engine its number of parameters is not that of the import, for which V8 compiles
// another adapter, at the start, and every call makes a list of its arguments and a function.

const WRAPPED =
  /: function\(\) \{ return handleError\(function \(([^)]*)\) \{\n([\s\S]*?)\n {8}\}, arguments\); \}/g;

/** The glue with these imports as functions of their own parameters. */
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
