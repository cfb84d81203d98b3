const MOVED = /\/node_modules\/\.(?:cache\/)?vite\/(?:.*\/)?(?=[^/]+\/[^/]+$)/;

/**
 * The URL of a file of this package. Vite's development server moves the code of packages out of
 * `node_modules/siltstone`, into a folder of its own, but not their other files.
 */
export function installed(url: URL): URL {
  return new URL(url.href.replace(MOVED, "/node_modules/siltstone/"));
}
