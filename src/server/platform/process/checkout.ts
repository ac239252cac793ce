/** The build puts the server's code into one flat folder. */
const isBuilt = import.meta.url.includes('/dist/server/')

/** The folder of the product, ending with a slash: the checkout, or an unpacked release. */
export const checkout = new URL(isBuilt ? '../../' : '../../../../', import.meta.url)

/**
 * The file that a thread, a child process or an import runs for a source file: the source itself, or what the build made of it.
 * `path` starts at the checkout. The build collects its entries from these calls, so write the path as a literal.
 */
export function codeUrl(path: `src/${string}.ts`): URL {
  return new URL(isBuilt ? `dist/server/${builtName(path)}` : path, checkout)
}

/** The name of a built file in `dist/server`, such as `server-platform-outbound-foreign-json-thread.js`. */
export function builtName(path: string): string {
  return `${path
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .replaceAll('/', '-')}.js`
}
