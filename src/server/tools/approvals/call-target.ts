/** Stands for an input in the path of a target. */
const INPUT = '*'
/** Replaces inputs while the address is parsed. A URL keeps it as it is. */
const MARK = 'x0input0x'

/** Returns where an HTTP call goes, with `*` in place of inputs: `POST api.example.com/orders/*`. Query and scheme are left out. */
export function targetOfRequest({ method, address }: { method: string; address: string }): string {
  const { host, pathname } = new URL(address.replace(/\{[^{}]*\}/g, MARK))
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const named = segments.map((one) => (one.includes(MARK) ? INPUT : decode(one).toLowerCase()))
  return [`${method === 'HEAD' ? 'GET' : method} ${host}`, ...named].join('/')
}

/** Returns where a call of an MCP server goes. */
export const targetOfServer = (server: string, key: string): string => `MCP ${JSON.stringify([server, key])}`

/** Returns whether two calls can go to the same place. */
export function isSameTarget(one: string, other: string): boolean {
  if (one.startsWith('MCP ') || other.startsWith('MCP ')) return one === other
  const [ours, theirs] = [one.split('/'), other.split('/')]
  const isSame = (segment: string, at: number) =>
    segment === theirs[at] || (at > 0 && (segment === INPUT || theirs[at] === INPUT))
  return ours.length === theirs.length && ours.every(isSame)
}

/** Characters that are percent-encoded without need are the same to a server. */
function decode(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    return segment
  }
}
