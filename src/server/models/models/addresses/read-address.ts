/** Operation paths that users copy along with the address. */
const OPERATIONS =
  /\/(?:chat\/completions|completions|responses|messages|embeddings|images\/generations|models|api\/(?:chat|generate|tags))$/

/** Returns the base address without an operation's path, trailing slashes and fragment. The query stays. */
export function readAddress(given: string): string {
  const [address = ''] = given.trim().split('#')
  const at = address.indexOf('?')
  const path = trimSlashes(at < 0 ? address : address.slice(0, at))
  const query = at < 0 ? '' : address.slice(at)
  // `/models` is an operation on every server except this one, where it is the base path.
  const isBase = /\.services\.ai\.azure\.com\/models$/i.test(path)
  return `${isBase ? path : trimSlashes(path.replace(OPERATIONS, ''))}${query.length > 1 ? query : ''}`
}

const trimSlashes = (path: string) => path.replace(/(?<!\/)\/+$/, '')
