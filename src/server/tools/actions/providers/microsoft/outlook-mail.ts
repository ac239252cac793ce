import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { MailQuery } from '#shared/tools/actions/action-port.ts'
import { UnknownOutcome } from '../../../../runs/runs/runs.ts'
import { MAX_READ_CHARACTERS } from '../imap/imap-mails.ts'
import { type MailService, NotDone, type Once, type OutgoingMail } from '../provider-port.ts'
import type { SignedContext } from '../signed-account.ts'
import { createJson, readAs } from '../signed-json.ts'

const MAX_FOUND = 20

const Person = z.object({
  emailAddress: z.object({ name: z.string().nullish(), address: z.string().nullish() }),
})
const Message = z.object({
  id: z.string(),
  subject: z.string().nullish(),
  from: Person.nullish(),
  replyTo: z.array(Person).default([]),
  toRecipients: z.array(Person).default([]),
  ccRecipients: z.array(Person).default([]),
  receivedDateTime: z.string().nullish(),
  internetMessageId: z.string().nullish(),
  parentFolderId: z.string().nullish(),
  isDraft: z.boolean().nullish(),
  body: z.object({ content: z.string() }).nullish(),
})
type Message = z.infer<typeof Message>
const Messages = z.object({ value: z.array(Message) })
const Folders = z.object({ value: z.array(z.object({ id: z.string(), displayName: z.string() })) })
const Attachments = z.object({ value: z.array(z.object({ name: z.string().nullish() })) })

/** An immutable id stays the same when a draft is sent or a mail is moved. */
const headers = { prefer: 'IdType="ImmutableId", outlook.body-content-type="text"' }
const shown =
  '$select=id,subject,from,replyTo,toRecipients,ccRecipients,receivedDateTime,internetMessageId,parentFolderId'

type Request = ReturnType<typeof createJson>

/** Uses a mailbox through Microsoft Graph (v1.0). */
export function createOutlookMail(context: SignedContext): MailService {
  const plain = createJson(context, () => `${context.config.MICROSOFT_MAIL_URL}/v1.0/me`)
  const request: Request = (path, wish = {}) =>
    plain(path, { ...wish, headers: { ...headers, ...wish.headers } })
  const readMessage = async (id: string, query: string) =>
    readAs(await request(`/messages/${encodeURIComponent(id)}?${query}`), Message)
  return {
    search: async (query) => {
      const folder = query.folder ? await findFolder(request, query.folder) : { id: 'inbox', displayName: '' }
      const wish = toQuery(query)
      const search =
        wish === '' ? '$orderby=receivedDateTime desc' : `$search=${encodeURIComponent(`"${wish}"`)}`
      const path = `/mailFolders/${encodeURIComponent(folder.id)}/messages?${shown}&$top=${query.limit ?? MAX_FOUND}&${search}`
      const { value } = await readAs(await request(path), Messages)
      return value.map((one) => ({ ...summaryOf(one), folder: query.folder ?? '' }))
    },
    read: async (id) => {
      const message = await readMessage(id, `${shown},body`)
      const files = await readAs(
        await request(`/messages/${encodeURIComponent(id)}/attachments?$select=name`),
        Attachments,
      )
      const text = message.body?.content ?? ''
      return {
        ...summaryOf(message),
        cc: addressesOf(message.ccRecipients),
        text: text.slice(0, MAX_READ_CHARACTERS).toWellFormed(),
        is_cut: text.length > MAX_READ_CHARACTERS,
        attachments: files.value.map(({ name }) => name ?? ''),
      }
    },
    find: async (id) => {
      const message = await readMessage(id, shown)
      const [answer_to = ''] = addressesOf(
        message.replyTo.length > 0 ? message.replyTo : message.from ? [message.from] : [],
      )
      const { subject, internetMessageId: message_id = null } = message
      return { answer_to, subject: subject ?? '', message_id, references: '', thread: message.id }
    },
    send: (mail, once) => sendDraft(request, mail, once),
    file: async ({ mail, folder }, { isResumed }) => {
      const { id: destinationId, displayName } = await findFolder(request, folder)
      const done = (already: boolean) => ({ id: mail, folder: displayName, already })
      const { parentFolderId } = await readMessage(mail, '$select=id,parentFolderId')
      if (isResumed && parentFolderId !== destinationId) throw new NotDone()
      if (parentFolderId === destinationId) return done(true)
      const path = `/messages/${encodeURIComponent(mail)}/move`
      await request(path, { method: 'POST', body: { destinationId }, acts: true })
      return done(false)
    },
  }
}

/** Creates a draft and sends it. The draft keeps its id, so it tells a resumed call whether it was sent; it cannot be sent twice. */
async function sendDraft(request: Request, mail: OutgoingMail, once: Once) {
  const done = (id: string, already: boolean) => ({
    id,
    to: mail.to,
    subject: mail.subject,
    refused: [],
    already,
  })
  const [, stage = '', kept = ''] = /^(drafted|sending) (.+)$/.exec(once.handle ?? '') ?? []
  if (once.isResumed) {
    if (stage !== 'sending') throw new NotDone()
    const answer = await request(`/messages/${encodeURIComponent(kept)}?$select=id,isDraft`, {
      allows: [404],
    })
    // The person may keep no sent mails.
    if (answer.status === 404) throw new UnknownOutcome()
    if ((await readAs(answer, Message)).isDraft !== false) throw new NotDone()
    return done(kept, true)
  }
  const id = kept || (await createDraft(request, mail, once))
  await once.keep(`sending ${id}`)
  const path = `/messages/${encodeURIComponent(id)}/send`
  await request(path, { method: 'POST', headers: { 'client-request-id': once.key }, acts: true })
  return done(id, false)
}

async function createDraft(request: Request, mail: OutgoingMail, { keep }: Once): Promise<string> {
  const people = (list: string[]) => list.map((address) => ({ emailAddress: { address } }))
  const body = {
    ...{ subject: mail.subject, body: { contentType: 'Text', content: mail.body } },
    ...{ toRecipients: people(mail.to), ccRecipients: people(mail.cc), bccRecipients: people(mail.bcc) },
  }
  const { thread = null } = mail.answers ?? {}
  if (thread === null) {
    const { id } = await readAs(await request('/messages', { method: 'POST', body }), Message)
    await keep(`drafted ${id}`)
    return id
  }
  const path = `/messages/${encodeURIComponent(thread)}/createReply`
  const { id } = await readAs(await request(path, { method: 'POST', body: {} }), Message)
  await request(`/messages/${encodeURIComponent(id)}`, { method: 'PATCH', body })
  await keep(`drafted ${id}`)
  return id
}

async function findFolder(request: Request, name: string) {
  const { value } = await readAs(await request('/mailFolders?$top=200&includeHiddenFolders=false'), Folders)
  const found = value.find(({ displayName }) => displayName.toLowerCase() === name.toLowerCase())
  if (found) return found
  const names = value.slice(0, 50).map(({ displayName }) => `“${displayName}”`)
  throw new AppError('not_found', `There is no folder “${name}”. There are ${names.join(', ')}.`)
}

/** Writes a search of Outlook (KQL). Quotes cannot end it. */
function toQuery({ words, from, subject, since, before }: MailQuery): string {
  const clean = (text: string) => text.replace(/["\\:()]/g, ' ').trim()
  return [
    ...(words ? [clean(words)] : []),
    ...(from ? [`from:${clean(from)}`] : []),
    ...(subject ? [`subject:${clean(subject)}`] : []),
    ...(since ? [`received>=${since}`] : []),
    ...(before ? [`received<${before}`] : []),
  ].join(' AND ')
}

const addressesOf = (list: z.infer<typeof Person>[]) =>
  list.flatMap(({ emailAddress: { address } }) => (address ? [address] : []))

function summaryOf({ id, subject, from, toRecipients, receivedDateTime }: Message) {
  const { name, address } = from?.emailAddress ?? {}
  return {
    ...{ id, subject: subject ?? '', to: addressesOf(toRecipients), at: receivedDateTime ?? null },
    from: name && address ? `${name} <${address}>` : (address ?? ''),
  }
}
