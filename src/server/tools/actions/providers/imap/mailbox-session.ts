import type { ImapFlow } from 'imapflow'
import { AppError } from '#shared/platform/errors.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import type { ImapSettings } from '#shared/tools/actions/personal-accounts.ts'
import type { Config } from '../../../../platform/config/config.ts'
import { connectImap } from '../../../../platform/mailbox/mailbox.ts'
import { isTrustedReceiver, resolveHost } from '../../../../platform/outbound/outbound.ts'
import { UnknownOutcome } from '../../../../runs/runs/runs.ts'
import { NotDone } from '../provider-port.ts'

const USE_MS = 60_000

export type MailboxReach = {
  settings: ImapSettings
  config: Pick<Config, 'ATRIUM_TOOLS_PRIVATE'>
  signal: AbortSignal
}

/** Runs commands on one connection to a mailbox. @throws AppError `unavailable`, `not_connected` for a refused sign-in */
export async function withMailbox<T>(
  { settings, config, signal }: MailboxReach,
  work: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const { imap_host: host, imap_port: port, imap_security, username, password } = settings
  const address = await resolveHost(host, isTrustedReceiver({ host, port }, config.ATRIUM_TOOLS_PRIVATE))
  const limit = AbortSignal.any([signal, AbortSignal.timeout(USE_MS)])
  let client: ImapFlow | null = null
  const stop = () => client?.close()
  try {
    client = await connectImap({ host, address, port, isSecure: imap_security === 'tls', username, password })
    limit.addEventListener('abort', stop, { once: true })
    limit.throwIfAborted()
    const result = await work(client)
    if (!client.usable) throw new Error('The connection was lost.')
    return result
  } catch (error) {
    signal.throwIfAborted()
    throw describe(error, host)
  } finally {
    limit.removeEventListener('abort', stop)
    client?.close()
  }
}

function describe(error: unknown, host: string): unknown {
  if ([AppError, UnknownOutcome, NotDone].some((known) => error instanceof known)) return error
  const { authenticationFailed, responseText } = (error ?? {}) as Record<string, unknown>
  if (authenticationFailed === true) return new AppError('unavailable', `${host} refuses the sign-in.`)
  const said = typeof responseText === 'string' ? ` It says: ${cleanLabel(responseText.slice(0, 200))}` : ''
  return new AppError('unavailable', `${host} does not answer as a mail server should.${said}`, {
    cause: error,
  })
}
