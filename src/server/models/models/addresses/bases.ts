import type { ConnectionKind } from '#shared/models/connections/connections.ts'

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

/** The part of a path that tells the version of the interface of a kind of provider. */
export const versions: Readonly<Record<ConnectionKind, string>> = {
  openai: 'v1',
  compatible: 'v1',
  azure: 'v1',
  anthropic: 'v1',
  google: 'v1beta',
  cohere: 'v2',
}

/**
 * Base addresses at which the server of a connection may answer, the likeliest first: people leave the version out, or give
 * one to a server that has none. The address of an Azure resource is complete.
 */
export function possibleBases(address: string, kind: ConnectionKind): string[] {
  const [path = '', ...query] = address.split('?')
  const rest = query.length > 0 ? `?${query.join('?')}` : ''
  if (kind === 'azure' || /[?&]api-version=/.test(rest)) return [address]
  const version = versions[kind]
  const bare = path.replace(/\/(?:api|v\d\w*)$/, '')
  const others = /\/v\d\w*$/.test(path) ? [bare] : [`${path}/${version}`, `${bare}/${version}`]
  const all = [answeringBase(address), address, ...others.map((one) => one + rest)]
  return [...new Set(all)]
}
