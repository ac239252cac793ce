import type { FetchMessageObject, FetchQueryObject, ImapFlow } from 'imapflow'
import { AppError } from '#shared/platform/errors.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import { CursorExpired, ItemRefused, type SourceItem } from '../../define-connector.ts'
import { dateOf } from '../../requests/item-names.ts'
import type { MailFolder } from './mail-folders.ts'
import { idOfMail } from './mail-id.ts'
import type { MailSession } from './mail-session.ts'

const PAGE = 500
const MAX_SUBJECT_CHARACTERS = 150
const [MAX_TEXT_CHARACTERS, MAX_FLAGS] = [1000, 100]

/** The UIDVALIDITY of a folder, a UID in it, and the position that its mail had. */
export type Place = { uidValidity: string; uid: number; position: number }
export type ListedMails = { items: SourceItem[]; last: Place | null }

/**
 * Returns the mails of a folder behind a UID, at most 500, and the last place when there are more.
 * @throws AppError `unavailable`, CursorExpired when the UIDs of the folder changed
 */
export async function listMails(
  session: MailSession,
  folder: MailFolder,
  place: Place,
): Promise<ListedMails> {
  try {
    return await session.use(folder.mailbox, session.signal, (client) => readPage(client, folder, place))
  } catch (error) {
    // A folder that is gone must not look empty. The next attempt lists the folders again.
    if (error instanceof ItemRefused) throw new AppError('unavailable', error.message)
    throw error
  }
}

async function readPage(client: ImapFlow, folder: MailFolder, after: Place): Promise<ListedMails> {
  const { exists, uidValidity } = stateOf(client)
  if (after.uid > 0 && after.uidValidity !== uidValidity) throw new CursorExpired()
  const first = await findPosition(client, after, exists)
  if (first > exists) return { items: [], last: null }
  const end = Math.min(first + PAGE - 1, exists)
  const wish = { uid: true, flags: true, envelope: true, internalDate: true, size: true }
  const mails = await fetchAll(client, `${first}:${end}`, wish)
  if (mails.length < end - first + 1) await addUndescribed(client, `${first}:${end}`, mails)
  const uids = mails.map(({ uid }) => uid)
  // A server that repeats itself would be listed forever.
  if (mails.length === 0 || uids.some((uid, at) => !(uid > (uids[at - 1] ?? after.uid)))) throw unexpected()
  const items = mails.map((mail) => itemOf(folder, uidValidity, mail))
  return { items, last: end < exists ? { uidValidity, uid: uids.at(-1) ?? 0, position: end } : null }
}

async function fetchAll(client: ImapFlow, range: string, wish: FetchQueryObject) {
  const mails: FetchMessageObject[] = []
  for await (const mail of client.fetch(range, wish)) {
    if (mails.push(mail) > PAGE) throw unexpected()
  }
  return mails
}

/** Adds mails that a server leaves out because it cannot read them. It still tells their UIDs. */
async function addUndescribed(client: ImapFlow, range: string, mails: FetchMessageObject[]): Promise<void> {
  const known = new Set(mails.map(({ uid }) => uid))
  const others = await fetchAll(client, range, { uid: true })
  mails.push(...others.filter(({ uid }) => !known.has(uid)))
  mails.sort((a, b) => a.uid - b.uid)
}

const unexpected = () => new AppError('unavailable', 'The mail server does not list its mails in order.')

function stateOf({ mailbox }: ImapFlow): { exists: number; uidValidity: string } {
  if (!mailbox) throw new AppError('unavailable', 'The connection to the mail server was lost.')
  return { exists: mailbox.exists, uidValidity: String(mailbox.uidValidity) }
}

/** Returns the position of the first mail behind a UID. Mails may have been deleted since its position was noted. */
async function findPosition(
  client: ImapFlow,
  { uid, position }: { uid: number; position: number },
  exists: number,
): Promise<number> {
  if (uid === 0) return 1
  if (position <= exists && (await uidAt(client, position)) === uid) return position + 1
  let [low, high] = [1, exists + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await uidAt(client, middle)) <= uid) low = middle + 1
    else high = middle
  }
  return low
}

async function uidAt(client: ImapFlow, position: number): Promise<number> {
  const found = await client.fetchOne(String(position), { uid: true })
  if (!found) throw unexpected()
  return found.uid
}

function itemOf(folder: MailFolder, uidValidity: string, mail: FetchMessageObject): SourceItem {
  const { uid, size = null, envelope = {}, internalDate, flags = new Set() } = mail
  const subject = cleanLabel(textOf(envelope.subject))
    .replace(/[/\\]+/g, ' ')
    .trim()
  const name = `${subject.slice(0, MAX_SUBJECT_CHARACTERS).toWellFormed() || `Mail ${uid}`}.eml`
  const [sent, arrived] = [dateOf(envelope.date), dateOf(internalDate)]
  const owner = textOf(envelope.from?.[0]?.address) || textOf(envelope.from?.[0]?.name)
  return {
    ...{ id: idOfMail({ uidValidity, uid, mailbox: folder.mailbox }), version: String(size ?? 'unknown') },
    ...{ name, path: `${folder.path}/${name}`, size, labels: labelsOf(flags) },
    ...(owner && { owner }),
    ...((sent ?? arrived) && { created_at: sent ?? arrived }),
    ...((arrived ?? sent) && { changed_at: arrived ?? sent }),
    ...(envelope.messageId && size !== null && { move_key: `${textOf(envelope.messageId)} ${size}` }),
  }
}

/** Returns the beginning of a text of a header, which may have any length. */
const textOf = (text = ''): string => text.slice(0, MAX_TEXT_CHARACTERS)

/** Returns flags that people set, without those that programs use among themselves. */
function labelsOf(flags: ReadonlySet<string>): string[] {
  const own = [...flags]
    .slice(0, MAX_FLAGS)
    .map(textOf)
    .filter((flag) => !/^[\\$]|^(not|non)?junk$/i.test(flag))
    .sort()
  return [
    ...(flags.has('\\Flagged') ? ['Flagged'] : []),
    ...(flags.has('\\Answered') ? ['Answered'] : []),
    ...own,
  ]
}
