import { AppError } from '#shared/platform/errors.ts'
import { cleanCharacters as clean, isUnreachable } from '../db/db.ts'
import type { Log } from '../log.ts'
import type { Head, Inbox } from './imap-connection.ts'
import { isGenuine } from './is-genuine.ts'
import {
  earlierOf,
  type HeaderLines,
  idOf,
  isAutomatic,
  readHeader,
  senderOf,
  shownOf,
  tokensOf,
  valuesOf,
} from './mail-header.ts'
import { type ArrivedMail, MAX_MAIL_BYTES, type MailReceiver } from './mailbox-port.ts'
import { openMail } from './open-mail.ts'

/** The mailbox that is read, and the receivers of its mails. */
export type Reader = {
  address: string
  /** Addresses that this installation sends from. */
  ownAddresses: readonly string[]
  /** Id of the mail server whose `Authentication-Results` are trusted; null without one. */
  authserv: string | null
  receivers: readonly MailReceiver[]
  log: Log
}

/** Mails that are read before the connection is looked after again. */
const MAILS_PER_STEP = 50
/** Attempts at a mail whose handling fails. */
const MAX_ATTEMPTS = 5

/**
 * Gives unread mails to the receivers, and marks each as read after its receivers have stored it. Returns whether more are left. `failures`
 * counts attempts by mail. `isHeld` tells before each mail whether this process may continue. @throws when a connection is lost
 */
export async function readArrivals(
  inbox: Inbox,
  reader: Reader,
  failures: Map<number, number>,
  isHeld: () => Promise<boolean>,
): Promise<boolean> {
  const unread = await inbox.listUnread()
  for (const uid of unread.slice(0, MAILS_PER_STEP)) {
    if (!(await isHeld())) return false
    try {
      await receive(inbox, reader, uid)
    } catch (error) {
      if (!inbox.isOpen() || isUnreachable(error)) throw error
      const count = (failures.get(uid) ?? 0) + 1
      failures.set(uid, count)
      reader.log.error({ err: error, mail: uid, attempt: count }, 'A mail could not be handled.')
      if (count < MAX_ATTEMPTS) continue
    }
    await inbox.markRead(uid)
  }
  return unread.length > MAILS_PER_STEP
}

async function receive(inbox: Inbox, reader: Reader, uid: number): Promise<void> {
  const head = await inbox.readHead(uid)
  const header = head && readHeader(head.bytes)
  if (!head || !header) {
    if (head) reader.log.warn({ mail: uid }, 'A mail was left out: its header is longer than 64 kB.')
    return
  }
  const { decodeWords } = await import('postal-mime')
  const shown = Object.entries(shownOf(header)).map(([name, value]) => [name, clean(decodeWords(value))])
  const mail = { ...mailOf(inbox, reader, uid, head, header), shown: Object.fromEntries(shown) }
  let isKnown = false
  for (const token of tokensOf(header, reader.address))
    for (const receive of reader.receivers) isKnown = (await receive(token, mail)) || isKnown
  if (!isKnown) reader.log.info({ mail: uid }, 'A mail was left out: nothing here has its address.')
}

function mailOf(
  inbox: Inbox,
  reader: Reader,
  uid: number,
  { size }: Head,
  header: HeaderLines,
): Omit<ArrivedMail, 'shown'> {
  const sender = senderOf(header)
  return {
    ...{ id: idOf(header), sender, earlier: earlierOf(header) },
    refusal: refusalOf(reader, header, sender, size),
    open: async () => {
      const source = await inbox.readWhole(uid, MAX_MAIL_BYTES + 1)
      if (!source) throw new AppError('malformed', 'The mail was deleted before it was read.')
      if (source.length > MAX_MAIL_BYTES) throw new AppError('too_large', TOO_LARGE)
      return openMail(source)
    },
  }
}

const TOO_LARGE = 'The mail is larger than 25 MB.'

function refusalOf(
  { address, ownAddresses, authserv }: Reader,
  header: HeaderLines,
  sender: string | null,
  size: number,
): string | null {
  if (sender === null) return 'The mail does not name exactly one sender.'
  if (isAutomatic(header)) return 'The mail was sent automatically: an absence, a bounce or a mailing list.'
  if (isOwn(sender, address, ownAddresses)) return 'The mail comes from this installation itself.'
  if (size > MAX_MAIL_BYTES) return TOO_LARGE
  if (authserv !== null && !isGenuine(valuesOf(header, 'authentication-results'), authserv, sender))
    return 'The mail server did not confirm the sender (DMARC, DKIM or SPF).'
  return null
}

/** Returns whether an address is that of the mailbox, also with a token, or one that this installation sends from. */
function isOwn(sender: string, address: string, ownAddresses: readonly string[]): boolean {
  const [local = '', domain = ''] = sender.split('@')
  const withoutToken = `${local.split('+')[0]}@${domain}`
  return withoutToken === address || ownAddresses.includes(sender)
}
