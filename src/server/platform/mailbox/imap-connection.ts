import { once } from 'node:events'
import type { ImapFlow } from 'imapflow'
import { connectImap } from './imap-client.ts'

const HEAD_BYTES = 64 * 1024

/** The beginning of a mail, which contains its header, and its size. */
export type Head = { bytes: Buffer; size: number }

/** An open folder of a mail server. Every method fails once the connection is lost. */
export type Inbox = {
  /** Returns the numbers of unread mails, the oldest first. */
  listUnread(): Promise<number[]>
  /** Returns the first 64 kB of a mail; null when it is gone. */
  readHead(uid: number): Promise<Head | null>
  /** Returns at most `limit` bytes of a mail; null when it is gone. */
  readWhole(uid: number, limit: number): Promise<Buffer | null>
  markRead(uid: number): Promise<void>
  /** Waits until the server announces a mail, the connection is lost, or the time is over. */
  waitForMail(ms: number, signal: AbortSignal): Promise<void>
  isOpen(): boolean
  close(): Promise<void>
}

/**
 * Signs in to `imaps://user:password@host:port/FOLDER` and opens the folder, INBOX by default. `imap://` requires STARTTLS unless the server
 * is on this machine. @throws the error of the server
 */
export async function openInbox(url: string): Promise<Inbox> {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const isSecure = protocol === 'imaps:'
  const client = await connectImap({
    ...{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isSecure ? 993 : 143), isSecure },
    ...{ username: decodeURIComponent(username), password: decodeURIComponent(password) },
  })
  try {
    await client.mailboxOpen(decodeURIComponent(pathname.slice(1)) || 'INBOX')
  } catch (error) {
    client.close()
    throw error
  }
  return inboxOf(client)
}

function inboxOf(client: ImapFlow): Inbox {
  let hasNews = false
  client.on('exists', () => {
    hasNews = true
  })
  // The library answers some commands with nothing once the connection is lost.
  const assertOpen = () => {
    if (!client.usable) throw new Error('The connection to the mail server was lost.')
  }
  const read = async (uid: number, maxLength: number) => {
    const source = { start: 0, maxLength }
    const found = await client.fetchOne(String(uid), { size: true, source }, { uid: true })
    if (found) return found
    assertOpen()
    return null
  }
  return {
    listUnread: async () => {
      hasNews = false
      const found = await client.search({ seen: false }, { uid: true })
      assertOpen()
      if (!Array.isArray(found)) throw new Error('The mail server does not list its mails.')
      return found.sort((a, b) => a - b)
    },
    readHead: async (uid) => {
      const found = await read(uid, HEAD_BYTES)
      return found?.source ? { bytes: found.source, size: found.size ?? found.source.length } : null
    },
    readWhole: async (uid, limit) => {
      return (await read(uid, limit))?.source ?? null
    },
    markRead: async (uid) => {
      if (await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })) return
      assertOpen()
      throw new Error('The mail server does not let mails be marked as read.')
    },
    waitForMail: async (ms, signal) => {
      if (hasNews || signal.aborted || !client.usable) return
      const waiting = new AbortController()
      const until = AbortSignal.any([signal, waiting.signal, AbortSignal.timeout(ms)])
      void client.idle().catch(() => undefined)
      const events = ['exists', 'close'].map((name) => once(client, name, { signal: until }))
      await Promise.race(events).catch(() => undefined)
      waiting.abort()
      await Promise.allSettled(events)
    },
    isOpen: () => client.usable,
    close: async () => {
      const leaving = client.usable ? client.logout().catch(() => undefined) : Promise.resolve()
      await Promise.race([leaving, new Promise((resolve) => setTimeout(resolve, 1_000).unref())])
      client.close()
    },
  }
}
