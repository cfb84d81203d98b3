const MOVED = /\/node_modules\/\.(?:cache\/)?vite\/.*/;

/**
 * The URL of a file of this package, given where it would be beside the code. Vite's development
 * server moves the code out of `node_modules/siltstone`, into a folder of its own, but no other file.
 */
export function installed(url: URL, path: string): URL {
  return new URL(url.href.replace(MOVED, `/node_modules/siltstone/${path}`));
}
