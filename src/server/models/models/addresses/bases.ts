/** Base addresses that answered, by the address of the connection. */
const answering = new Map<string, string>()

/** The base address that answered last for the address of a connection, else that address itself. */
export function answeringBase(address: string): string {
  return answering.get(address) ?? address
}

/** Remembers for this process where the server of a connection answers. */
export function rememberBase(address: string, base: string): void {
  answering.set(address, base)
}

/**
 * Base addresses at which the server of a connection may answer, the likeliest first: people leave the version out, or give
 * one to a server that has none. `version` names it; with null, or with an `api-version`, the address is complete.
 */
export function possibleBases(address: string, version: string | null): string[] {
  const [path = '', ...query] = address.split('?')
  const rest = query.length > 0 ? `?${query.join('?')}` : ''
  if (version === null || /[?&]api-version=/.test(rest)) return [address]
  const bare = path.replace(/\/(?:api|v\d\w*)$/, '')
  const others = /\/v\d\w*$/.test(path) ? [bare] : [`${path}/${version}`, `${bare}/${version}`]
  const all = [answeringBase(address), address, ...others.map((one) => one + rest)]
  return [...new Set(all)]
}
