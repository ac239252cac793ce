/** Base addresses that answered, by the address of the connection. */
const answering = new Map<string, string>()

/** Returns the base address that answered last for a connection, otherwise the connection's own address. */
export function answeringBase(address: string): string {
  return answering.get(address) ?? address
}

/** Remembers for this process the base address at which a connection's server answers. */
export function rememberBase(address: string, base: string): void {
  answering.set(address, base)
}

/**
 * Returns base addresses at which a connection's server may answer, the most likely first. Users omit the version, or add one that
 * the server lacks. `version` is the provider's; with null, or with an `api-version`, the address is complete.
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
