import type { ImapFlow, MessageAddressObject, MessageEnvelopeObject } from 'imapflow'
import { AppError } from '#shared/platform/errors.ts'
import type { Filing, MailQuery, MailSummary, ReadMail } from '#shared/tools/actions/action-port.ts'
import { openMail } from '../../../../platform/mailbox/mailbox.ts'
import { UnknownOutcome } from '../../../../runs/runs/runs.ts'
import { type AnsweredMail, NotDone, type Once } from '../provider-port.ts'

const MAX_FOUND = 20
const MAX_MAIL_BYTES = 5 * 1024 * 1024
export const MAX_READ_CHARACTERS = 20_000

/** Place of a mail: the folder with its UIDVALIDITY, and the UID. */
type Place = { uidValidity: string; uid: string; folder: string }

const idOf = ({ uidValidity, uid, folder }: Place) => `${uidValidity}:${uid}:${folder}`

function placeOf(id: string): Place {
  const [, uidValidity = '', uid = '', folder = ''] =
    /^(\d{1,20}):(\d{1,20}):([^\r\n]{1,500})$/.exec(id) ?? []
  if (folder === '') throw new AppError('invalid', `“${id}” is not the id of a mail. Search for it first.`)
  return { uidValidity, uid, folder }
}

const gone = () => new AppError('not_found', 'The mail is no longer in its folder. Search for it again.')

/** Finds mails of a folder, the newest first. */
export async function searchMails(client: ImapFlow, query: MailQuery): Promise<MailSummary[]> {
  const folder = query.folder ?? 'INBOX'
  const box = await client.mailboxOpen(folder, { readOnly: true }).catch(() => null)
  if (!box) throw await noFolder(client, folder)
  const wish = {
    ...(query.words && { text: query.words }),
    ...(query.from && { from: query.from }),
    ...(query.subject && { subject: query.subject }),
    ...(query.since && { since: query.since }),
    ...(query.before && { before: query.before }),
  }
  const found = await client.search(Object.keys(wish).length === 0 ? { all: true } : wish, { uid: true })
  const newest = (found || []).sort((a, b) => b - a).slice(0, query.limit ?? MAX_FOUND)
  if (newest.length === 0) return []
  const list = await client.fetchAll(newest.join(','), { uid: true, envelope: true }, { uid: true })
  return list
    .sort((a, b) => b.uid - a.uid)
    .map(({ uid, envelope }) => ({
      id: idOf({ uidValidity: String(box.uidValidity), uid: String(uid), folder }),
      ...summaryOf(envelope),
      folder,
    }))
}

export async function readMail(client: ImapFlow, id: string): Promise<ReadMail> {
  const found = await fetchPlace(client, placeOf(id), { source: { start: 0, maxLength: MAX_MAIL_BYTES } })
  const opened = await openMail(found.source ?? Buffer.alloc(0))
  return {
    id,
    ...summaryOf(found.envelope),
    cc: addressesOf(found.envelope?.cc),
    text: opened.text.slice(0, MAX_READ_CHARACTERS).toWellFormed(),
    is_cut: opened.text.length > MAX_READ_CHARACTERS,
    attachments: opened.attachments.map(({ name }) => name),
  }
}

export async function findAnswered(client: ImapFlow, id: string): Promise<AnsweredMail> {
  const { envelope, headers } = await fetchPlace(client, placeOf(id), { headers: ['references'] })
  const [answer_to = ''] = addressesOf(envelope?.replyTo?.length ? envelope.replyTo : envelope?.from)
  const references =
    (headers?.toString('latin1') ?? '').replace(/^references:/i, '').match(/<[^<>\s]{1,500}>/g) ?? []
  return {
    ...{ answer_to, subject: envelope?.subject ?? '', message_id: envelope?.messageId ?? null, thread: null },
    references: references.slice(-20).join(' '),
  }
}

/** Moves a mail. A resumed call finds it gone from its folder when it was moved. */
export async function fileMail(client: ImapFlow, { mail, folder }: Filing, once: Once) {
  const place = placeOf(mail)
  const isThere = await fetchPlace(client, place, {}).then(
    () => true,
    (error) => {
      if (error instanceof AppError && error.code === 'not_found') return false
      throw error
    },
  )
  if (once.isResumed && (isThere || once.handle === null)) throw new NotDone()
  if (once.isResumed) return { id: mail, folder, already: true }
  if (!isThere) throw gone()
  const known = await client.list()
  if (!known.some(({ path }) => path === folder)) throw await noFolder(client, folder)
  // Without MOVE, a mail is copied and then deleted, and a kill between the two would double it.
  if (!client.capabilities.has('MOVE'))
    throw new AppError('not_available', 'This mail server cannot move a mail in one step.')
  await once.keep('moving')
  await client.mailboxOpen(place.folder)
  const moved = await client.messageMove(place.uid, folder, { uid: true }).catch((error) => {
    throw new UnknownOutcome({ cause: error })
  })
  if (!client.usable) throw new UnknownOutcome()
  if (!moved) throw new AppError('unavailable', `The mail could not be moved to “${folder}”.`)
  return { id: mail, folder, already: false }
}

async function fetchPlace(client: ImapFlow, { uidValidity, uid, folder }: Place, query: object) {
  const box = await client.mailboxOpen(folder, { readOnly: true }).catch(() => null)
  if (!box || String(box.uidValidity) !== uidValidity) throw gone()
  const found = await client.fetchOne(uid, { uid: true, envelope: true, ...query }, { uid: true })
  if (!client.usable) throw new AppError('unavailable', 'The connection to the mail server was lost.')
  if (!found) throw gone()
  return found
}

async function noFolder(client: ImapFlow, folder: string): Promise<AppError> {
  const names = (await client.list()).slice(0, 50).map(({ path }) => `“${path}”`)
  return new AppError('not_found', `There is no folder “${folder}”. There are ${names.join(', ')}.`)
}

function summaryOf(envelope: MessageEnvelopeObject | undefined) {
  return {
    from: nameOf(envelope?.from?.[0]),
    to: addressesOf(envelope?.to),
    subject: envelope?.subject ?? '',
    at: readDate(envelope?.date),
  }
}

const nameOf = (one: MessageAddressObject | undefined) =>
  one?.name && one.address ? `${one.name} <${one.address}>` : (one?.address ?? '')
const addressesOf = (list: MessageAddressObject[] | undefined) =>
  (list ?? []).flatMap(({ address }) => (address ? [address] : []))

function readDate(date: Date | string | undefined): string | null {
  const at = new Date(date ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
