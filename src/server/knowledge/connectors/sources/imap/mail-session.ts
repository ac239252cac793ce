import type { ImapFlow } from 'imapflow'
import type { Settings } from '#shared/knowledge/connectors/sources.ts'
import { AppError } from '#shared/platform/errors.ts'
import { connectImap } from '../../../../platform/mailbox/mailbox.ts'
import { isTrustedReceiver, resolveHost } from '../../../../platform/outbound/outbound.ts'
import type { SourceContext } from '../../define-connector.ts'
import { describeFailure } from './mail-failure.ts'

/** Timeout of one use of the connection. */
const USE_MS = 60_000
/** Bytes that a server may send during one use, and how often they are counted. */
const [MAX_USE_BYTES, COUNT_MS] = [64 * 1024 * 1024, 100]
const LEAVE_MS = 1_000
/** IDLE commands in a row that may end within a second. */
const [MAX_SHORT_IDLES, SHORT_MS] = [3, 1_000]

/** One connection to a mail server, which is opened when it is needed. */
export type MailSession = {
  maxBytes: number
  signal: AbortSignal
  /**
   * Runs a command while nothing else uses the connection, with a folder opened for reading. An abort or a timeout closes the connection.
   * @throws SignedOut, SourceBusy, ItemRefused for a folder that does not exist, AppError `unavailable`
   */
  use<T>(mailbox: string | null, signal: AbortSignal, work: (client: ImapFlow) => Promise<T>): Promise<T>
  /** Calls `changed` when it begins and when mails arrive, change or disappear, until the signal of the session aborts. @throws as `use` */
  idle(mailbox: string, changed: () => void): Promise<void>
  close(): Promise<void>
}

/** Returns the host in lower case, the port, and whether the connection begins with TLS. */
export function serverOf({ host = '', port = '', security }: Settings) {
  const isSecure = security !== 'starttls'
  const name = host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
  return { host: name, port: port.trim() === '' ? (isSecure ? 993 : 143) : Number(port), isSecure }
}

/** @throws AppError `invalid` */
export function openSession({ settings, config, maxBytes, signal }: SourceContext): MailSession {
  const server = serverOf(settings)
  const { username = '', password = '' } = settings
  if (!Number.isInteger(server.port) || server.port < 1 || server.port > 65_535)
    throw new AppError('invalid', 'The port is not valid.')
  let client: ImapFlow | null = null
  let tail: Promise<unknown> = Promise.resolve()
  const connect = async () => {
    if (client?.usable) return client
    const isTrusted = isTrustedReceiver(server, config.ATRIUM_TOOLS_PRIVATE)
    const address = await resolveHost(server.host, isTrusted)
    client = await connectImap({ ...server, address, username, password })
    return client
  }
  const use: MailSession['use'] = (mailbox, wish, work) => {
    const result = tail.then(async () => {
      const limit = AbortSignal.any([signal, wish, AbortSignal.timeout(USE_MS)])
      try {
        limit.throwIfAborted()
        const open = await connect()
        return await closedWhen(open, limit, async () => {
          if (mailbox !== null) await openForReading(open, mailbox)
          return work(open)
        })
      } catch (error) {
        throw describeFailure(error, server.host, [signal, wish])
      }
    })
    tail = result.catch(() => undefined)
    return result
  }
  const idle: MailSession['idle'] = async (mailbox, changed) => {
    const open = await connect().catch((error) => {
      throw describeFailure(error, server.host, [signal])
    })
    const stop = () => open.close()
    signal.addEventListener('abort', stop, { once: true })
    try {
      await openForReading(open, mailbox)
      for (const event of ['exists', 'expunge', 'flags'] as const) open.on(event, changed)
      changed()
      let short = 0
      // It begins again whenever another command or a limit of the server ends it. After a refusal the client polls.
      while (open.usable && !signal.aborted) {
        const began = performance.now()
        await open.idle()
        short = performance.now() - began < SHORT_MS ? short + 1 : 0
        if (short > MAX_SHORT_IDLES) throw new AppError('unavailable', `${server.host} reports no changes.`)
      }
    } catch (error) {
      throw describeFailure(error, server.host, [signal])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
  const close = async () => {
    if (!client) return
    const leaving = client.usable ? client.logout().catch(() => undefined) : Promise.resolve()
    await Promise.race([leaving, new Promise((resolve) => setTimeout(resolve, LEAVE_MS).unref())])
    client.close()
  }
  return { maxBytes, signal, use, idle, close }
}

/** Opens a folder with EXAMINE, which changes no flags. */
async function openForReading(client: ImapFlow, mailbox: string): Promise<void> {
  if (client.mailbox && client.mailbox.path === mailbox && client.mailbox.readOnly) return
  await client.mailboxOpen(mailbox, { readOnly: true })
}

/** Runs a command that closes the connection when it is aborted or the server sends too much. */
async function closedWhen<T>(client: ImapFlow, limit: AbortSignal, run: () => Promise<T>): Promise<T> {
  const start = client.stats().received
  let hasTooMuch = false
  const stop = () => client.close()
  const counting = setInterval(() => {
    hasTooMuch = client.stats().received - start > MAX_USE_BYTES
    if (hasTooMuch) stop()
  }, COUNT_MS)
  limit.addEventListener('abort', stop, { once: true })
  try {
    return await run()
  } catch (error) {
    if (hasTooMuch) throw new AppError('unavailable', 'The mail server sends more than was asked for.')
    // The rest of an unexpected answer may still arrive.
    if (error instanceof AppError) stop()
    throw error
  } finally {
    clearInterval(counting)
    limit.removeEventListener('abort', stop)
  }
}
