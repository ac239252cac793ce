import type { AuditReceiverKind } from '#shared/identity/audit-stream/audit-stream.ts'
import { AppError } from '#shared/platform/errors.ts'
import { assertFetchable, isTrustedReceiver, type Receiver } from '../../platform/outbound/outbound.ts'

/** Ports of syslog with TLS (RFC 5425) and without (RFC 6587). */
const PORTS = { syslogs: 6514, syslog: 514 } as const

export type SyslogReceiver = Receiver & { kind: 'syslogs' | 'syslog' }
export type AuditReceiver = { kind: 'https'; url: string } | SyslogReceiver

export function kindOf(address: string): AuditReceiverKind {
  if (address.startsWith('syslogs:')) return 'syslogs'
  return address.startsWith('syslog:') ? 'syslog' : 'https'
}

/** Reads a stored address. @throws AppError `invalid` */
export function receiverOf(address: string): AuditReceiver {
  const kind = kindOf(address)
  if (kind === 'https') return { kind, url: new URL(address).href }
  // Hosts of web addresses are normalized, so that a number is recognized as the address that it is.
  const web = address.replace(/^syslogs?:/, 'https:')
  if (!URL.canParse(web)) throw new AppError('invalid', 'The address has no valid host.')
  const { hostname, pathname, search, hash } = new URL(web)
  if (pathname !== '/' || search !== '' || hash !== '')
    throw new AppError('invalid', 'The address of a syslog server ends with its port.')
  const port = Number(new URL(address).port) || PORTS[kind]
  return { kind, host: hostname.replace(/^\[|\]$/g, ''), port, isSecure: kind === 'syslogs' }
}

/**
 * Returns an address as it is called, after checking it by the rule for later connections.
 * @throws AppError `invalid` for an address that would never be called
 */
export async function checkReceiver(address: string, trusted: readonly string[]): Promise<string> {
  const receiver = receiverOf(address)
  if (receiver.kind !== 'https') {
    const { kind, host, port } = receiver
    const named = host.includes(':') ? `[${host}]` : host
    if (!isTrustedReceiver(receiver, trusted)) await assertFetchable(`https://${named}/`, [])
    return `${kind}://${named}:${port}`
  }
  const { protocol, origin } = new URL(receiver.url)
  if (protocol === 'http:' && !trusted.some((one) => new URL(one).origin === origin))
    throw new AppError('invalid', 'The address must begin with https://.')
  await assertFetchable(receiver.url, trusted)
  return receiver.url
}
