/** Paths of operations that people copy along with the address. */
const OPERATIONS =
  /\/(?:chat\/completions|completions|responses|messages|embeddings|images\/generations|models|api\/(?:chat|generate|tags))$/

/** The base address that was meant: without the path of an operation, slashes at its end and a fragment; its query stays. */
export function readAddress(given: string): string {
  const [address = ''] = given.trim().split('#')
  const at = address.indexOf('?')
  const path = trimSlashes(at < 0 ? address : address.slice(0, at))
  const query = at < 0 ? '' : address.slice(at)
  // `/models` is an operation of every server but this one, where it is the base of all others.
  const isBase = /\.services\.ai\.azure\.com\/models$/i.test(path)
  return `${isBase ? path : trimSlashes(path.replace(OPERATIONS, ''))}${query.length > 1 ? query : ''}`
}

const trimSlashes = (path: string) => path.replace(/(?<!\/)\/+$/, '')
