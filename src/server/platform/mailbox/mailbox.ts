import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/db.ts'
import type { Instance } from '../instances.ts'
import type { Log } from '../log.ts'
import { type Inbox, openInbox } from './imap-connection.ts'
import type { Mailbox, MailboxState, MailReceiver } from './mailbox-port.ts'
import { findHolder, findReading, leaveMailbox, noteReading, takeMailbox } from './mailbox-store.ts'
import { type Reader, readArrivals } from './read-arrivals.ts'

export { connectImap } from './imap-client.ts'
export type { ArrivedMail, Mailbox, OpenedMail } from './mailbox-port.ts'
export { openMail } from './open-mail.ts'

type Options = {
  config: Pick<Config, 'IMAP_URL' | 'MAILBOX_ADDRESS' | 'MAIL_TRUSTED_AUTHSERV' | 'MAIL_FROM'>
  db: Database
  /** This process, whose death frees the mailbox immediately. */
  instance: Pick<Instance, 'id' | 'isAlive'>
  log: Log
  /** Time between two looks for mails that the server did not announce. */
  pollMs?: number
}

const POLL_MS = 30_000
const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 300_000
/** After this time without a reading, no process reads the mailbox. It exceeds the longest retry. */
const UNREAD_SECONDS = 600
const MAX_ERROR_CHARACTERS = 300

/** Creates the mailbox of this installation. Without `IMAP_URL` it does nothing. */
export function createMailbox({ config, db, instance, log, pollMs = POLL_MS }: Options): Mailbox {
  const { IMAP_URL: url, MAILBOX_ADDRESS, MAIL_TRUSTED_AUTHSERV: authserv = null } = config
  const address = url && MAILBOX_ADDRESS ? MAILBOX_ADDRESS : null
  const receivers: MailReceiver[] = []
  const stopping = new AbortController()
  let work: Promise<void> | null = null
  return {
    address,
    verifiesSenders: authserv !== null,
    addressOf: (token) => address?.replace('@', `+${token}@`) ?? null,
    onMail: (receiver) => void receivers.push(receiver),
    state: () => (address ? readState(db) : Promise.resolve({ kind: 'off', error: '' })),
    start: () => {
      if (!url || !address) return
      const reader = { address, authserv, receivers, log, ownAddresses: addressesIn(config.MAIL_FROM) }
      work ??= readUntil(stopping.signal, { url, reader, db, instance, pollMs })
    },
    stop: async () => {
      stopping.abort()
      await work
    },
  }
}

async function readState(db: Database): Promise<MailboxState> {
  const found = await findReading(db)
  if (!found) return { kind: 'starting', error: '' }
  if (found.error !== null) return { kind: 'failing', error: found.error }
  if (found.read_seconds_ago === null) return { kind: 'starting', error: '' }
  return { kind: found.read_seconds_ago > UNREAD_SECONDS ? 'unread' : 'read', error: '' }
}

type Work = Pick<Options, 'db' | 'instance'> & { url: string; reader: Reader; pollMs: number }

/** Reads the mailbox whenever no other process does. After a failure it waits, each time longer. */
async function readUntil(signal: AbortSignal, work: Work): Promise<void> {
  const { db, instance, reader, pollMs } = work
  let failures = 0
  while (!signal.aborted) {
    try {
      if (await take(work))
        await readWhileHeld(signal, work, () => {
          failures = 0
        })
      await rest(pollMs, signal)
    } catch (error) {
      const said = explain(error)
      reader.log.warn({ error: said }, 'The mailbox could not be read.')
      await noteReading(db, instance.id, said).catch(() => undefined)
      await rest(Math.min(FIRST_RETRY_MS * 2 ** failures++, LONGEST_RETRY_MS), signal)
    }
  }
  await leaveMailbox(db, instance.id).catch(() => undefined)
}

/** Takes the mailbox unless another living process reads it. */
async function take({ db, instance }: Work): Promise<boolean> {
  if (await takeMailbox(db, instance.id)) return true
  const holder = await findHolder(db)
  return holder !== null && !(await instance.isAlive(holder)) && takeMailbox(db, instance.id, holder)
}

async function readWhileHeld(signal: AbortSignal, work: Work, onRead: () => void): Promise<void> {
  const { url, reader, db, instance, pollMs } = work
  const isHeld = async () => !signal.aborted && (await takeMailbox(db, instance.id))
  const inbox: Inbox = await openInbox(url)
  const failures = new Map<number, number>()
  try {
    while (await isHeld()) {
      const hasMore = await readArrivals(inbox, reader, failures, isHeld)
      await noteReading(db, instance.id, null)
      onRead()
      if (!hasMore) await inbox.waitForMail(pollMs, signal)
    }
  } finally {
    await inbox.close()
  }
}

const rest = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined)

/** Returns what a mail server said. It never contains the password. */
function explain(error: unknown): string {
  const { responseText, message, code } = error as {
    responseText?: unknown
    message?: unknown
    code?: unknown
  }
  const said = [responseText, message, code].find((one) => typeof one === 'string' && one !== '')
  return String(said ?? error)
    .trim()
    .slice(0, MAX_ERROR_CHARACTERS)
}

/** Returns the addresses in a sender such as `Atrium <atrium@example.com>`, in lower case. */
function addressesIn(text: string): string[] {
  const parts = text.toLowerCase().split(/[\s<>",;]/)
  return parts.filter((part) => part.includes('@'))
}
