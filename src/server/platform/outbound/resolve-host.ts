import { lookup } from 'node:dns/promises'
import { AppError } from '#shared/platform/errors.ts'
import { assertPublicAddresses, assertPublicHost } from './fetchable.ts'

/**
 * Returns the address of a host to connect to, for protocols other than HTTP. Connecting to the returned address rules out that the name
 * changes after the check. `isTrusted`: a setting allows private addresses of this host. @throws PrivateHost, AppError `unavailable`
 */
export async function resolveHost(host: string, isTrusted: boolean): Promise<string> {
  const written = `http://${host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host}`
  if (!URL.canParse(written) || new URL(written).host === '' || /[/?#@]/.test(host))
    throw new AppError('invalid', `“${host}” is not the name of a host.`)
  const url = new URL(written)
  if (!isTrusted) assertPublicHost(url)
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const found = await lookup(name, { all: true }).catch(() => [])
  if (!isTrusted) assertPublicAddresses(name, found)
  const [first] = found
  if (!first) throw new AppError('unavailable', `The host “${host}” was not found.`)
  return first.address
}
