import type { ImapFlow } from 'imapflow'
import type { TransportOptions } from 'nodemailer'
import { AppError } from '#shared/platform/errors.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import { isLoopbackName } from '../../../../platform/config/host-names.ts'
import { explainFailure, fateOf } from '../../../../platform/mail/mail.ts'
import { isTrustedReceiver, resolveHost } from '../../../../platform/outbound/outbound.ts'
import { UnknownOutcome } from '../../../../runs/runs/runs.ts'
import { type ComposedMail, composeMail, messageIdOf } from '../compose-mail.ts'
import { NotDone, type Once, type OutgoingMail } from '../provider-port.ts'
import { type MailboxReach, withMailbox } from './mailbox-session.ts'

const PATIENCE_MS = 20_000

/**
 * Sends a mail and stores it among the sent ones. SMTP forgets what it took, so a resumed call looks for its Message-ID among the sent
 * mails; without it there, only the person can tell whether the mail was sent.
 */
export async function sendMail(reach: MailboxReach, mail: OutgoingMail, once: Once, now: Date) {
  const sent = { to: mail.to, subject: mail.subject }
  const messageId = messageIdOf(once.key, mail.from.address)
  if (once.isResumed) {
    if (once.handle === null) throw new NotDone()
    const isSent = await withMailbox(reach, (client) => hasSent(client, messageId)).catch(() => false)
    if (!isSent) throw new UnknownOutcome()
    return { id: messageId, refused: [], ...sent, already: true }
  }
  const composed = await composeMail(mail, once.key, now)
  const transport = await openTransport(reach)
  try {
    await transport.verify().catch((error) => {
      throw notSent(error, reach)
    })
    await once.keep('sending')
    const { rejected = [] } = await transport
      .sendMail({ envelope: composed.envelope, raw: composed.raw })
      .catch((error) => {
        if (fateOf(error) === 'unknown') throw new UnknownOutcome({ cause: error })
        throw notSent(error, reach)
      })
    const refused = rejected.map((one: string | { address: string }) =>
      typeof one === 'string' ? one : one.address,
    )
    // The mail is sent, so nothing may fail any more.
    await withMailbox(reach, (client) => keepSent(client, composed)).catch(() => undefined)
    return { id: messageId, refused, ...sent, already: false }
  } finally {
    transport.close()
  }
}

/** Tries the sign-in for sending. @throws AppError `unavailable` */
export async function checkSending(reach: MailboxReach): Promise<void> {
  const transport = await openTransport(reach)
  try {
    await transport.verify()
  } catch (error) {
    throw notSent(error, reach)
  } finally {
    transport.close()
  }
}

async function openTransport({ settings, config, signal }: MailboxReach) {
  const { smtp_host: host, smtp_port: port, smtp_security, username: user, password: pass } = settings
  const address = await resolveHost(host, isTrustedReceiver({ host, port }, config.ATRIUM_TOOLS_PRIVATE))
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    ...{ host: address, port, secure: smtp_security === 'tls', auth: { user, pass } },
    requireTLS: smtp_security === 'starttls' && !isLoopbackName(host),
    tls: { servername: host },
    ...{ connectionTimeout: PATIENCE_MS, greetingTimeout: PATIENCE_MS, socketTimeout: PATIENCE_MS },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  } as TransportOptions)
  signal.addEventListener('abort', () => transport.close(), { once: true })
  return transport
}

function notSent(error: unknown, { settings: { smtp_host } }: MailboxReach): AppError {
  const { said } = explainFailure(error)
  const detail = said ? ` It says: ${cleanLabel(said)}` : ''
  return new AppError('unavailable', `${smtp_host} did not take the mail.${detail}`, { cause: error })
}

async function hasSent(client: ImapFlow, messageId: string): Promise<boolean> {
  const folder = await sentFolder(client)
  if (folder === null) return false
  await client.mailboxOpen(folder, { readOnly: true })
  const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
  return Array.isArray(found) && found.length > 0
}

/** Some servers store sent mails by themselves. */
async function keepSent(client: ImapFlow, { raw, messageId }: ComposedMail): Promise<void> {
  if (await hasSent(client, messageId)) return
  const folder = await sentFolder(client)
  if (folder !== null) await client.append(folder, raw, ['\\Seen'])
}

async function sentFolder(client: ImapFlow): Promise<string | null> {
  const folders = await client.list()
  const byUse = folders.find(({ specialUse }) => specialUse === '\\Sent')
  return (byUse ?? folders.find(({ path }) => /(^|[/.])sent/i.test(path)))?.path ?? null
}
