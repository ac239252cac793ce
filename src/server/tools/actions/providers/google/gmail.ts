import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { MailQuery, MailSummary } from '#shared/tools/actions/action-port.ts'
import { openMail } from '../../../../platform/mailbox/mailbox.ts'
import { composeMail } from '../compose-mail.ts'
import { MAX_READ_CHARACTERS } from '../imap/imap-mails.ts'
import { type MailService, NotDone, type Once, type OutgoingMail } from '../provider-port.ts'
import type { SignedContext } from '../signed-account.ts'
import { createJson, readAs } from '../signed-json.ts'
import { addressesOf } from './addresses-of.ts'

const MAX_FOUND = 20

const Header = z.object({ name: z.string(), value: z.string() })
const Message = z.object({
  id: z.string(),
  threadId: z.string(),
  payload: z.object({ headers: z.array(Header).default([]) }).optional(),
  raw: z.string().optional(),
})
type Message = z.infer<typeof Message>
const Found = z.object({ messages: z.array(z.object({ id: z.string() })).default([]) })
const Labels = z.object({ labels: z.array(z.object({ id: z.string(), name: z.string() })).default([]) })
const Draft = z.object({ id: z.string() })

const SHOWN = ['From', 'To', 'Cc', 'Subject', 'Date', 'Message-ID', 'References', 'Reply-To']
const metadata = `format=metadata&${SHOWN.map((name) => `metadataHeaders=${name}`).join('&')}`

/** Uses a mailbox through the Gmail API (v1). */
export function createGmail(context: SignedContext): MailService {
  const request = createJson(context, () => `${context.config.GOOGLE_MAIL_URL}/gmail/v1/users/me`)
  const readMessage = async (id: string, query: string) =>
    readAs(await request(`/messages/${encodeURIComponent(id)}?${query}`), Message)
  return {
    search: async (query) => {
      const wish = new URLSearchParams({ q: toQuery(query), maxResults: String(query.limit ?? MAX_FOUND) })
      const { messages } = await readAs(await request(`/messages?${wish}`), Found)
      const found: MailSummary[] = []
      for (const { id } of messages)
        found.push({ ...summaryOf(await readMessage(id, metadata)), folder: query.folder ?? '' })
      return found
    },
    read: async (id) => {
      const [shown, { raw = '' }] = [await readMessage(id, metadata), await readMessage(id, 'format=raw')]
      const opened = await openMail(Buffer.from(raw, 'base64url'))
      return {
        ...summaryOf(shown),
        cc: addressesOf(headerOf(shown, 'Cc')),
        text: opened.text.slice(0, MAX_READ_CHARACTERS).toWellFormed(),
        is_cut: opened.text.length > MAX_READ_CHARACTERS,
        attachments: opened.attachments.map(({ name }) => name),
      }
    },
    find: async (id) => {
      const message = await readMessage(id, metadata)
      const [answer_to = ''] = addressesOf(headerOf(message, 'Reply-To') || headerOf(message, 'From'))
      return {
        ...{ answer_to, subject: headerOf(message, 'Subject'), thread: message.threadId },
        message_id: headerOf(message, 'Message-ID') || null,
        references: headerOf(message, 'References'),
      }
    },
    send: (mail, once) => sendDraft(request, mail, once, context.now()),
    // Adding a label twice changes nothing, so a resumed call does it again.
    file: async ({ mail, folder }, { isResumed }) => {
      if (isResumed) throw new NotDone()
      const { labels } = await readAs(await request('/labels'), Labels)
      const label = labels.find(({ name }) => name.toLowerCase() === folder.toLowerCase())
      if (!label) throw new AppError('not_found', `There is no label “${folder}”.`)
      const body = { addLabelIds: [label.id], removeLabelIds: ['INBOX'] }
      await request(`/messages/${encodeURIComponent(mail)}/modify`, { method: 'POST', body, acts: true })
      return { id: mail, folder: label.name, already: false }
    },
  }
}

/**
 * Creates a draft and sends it. Gmail removes a draft when it sends it, so the draft tells a resumed call whether the mail was sent, and is
 * never sent twice.
 */
async function sendDraft(request: ReturnType<typeof createJson>, mail: OutgoingMail, once: Once, now: Date) {
  const sent = { to: mail.to, subject: mail.subject, refused: [] }
  if (once.isResumed) {
    if (once.handle === null) throw new NotDone()
    const { status } = await request(`/drafts/${once.handle}?format=minimal`, { allows: [404] })
    if (status !== 404) throw new NotDone()
    return { id: once.handle, ...sent, already: true }
  }
  const draft = once.handle ?? (await createDraft(request, mail, once, now))
  const { status } = await request('/drafts/send', {
    method: 'POST',
    body: { id: draft },
    acts: true,
    allows: [404],
  })
  return { id: draft, ...sent, already: status === 404 }
}

async function createDraft(
  request: ReturnType<typeof createJson>,
  mail: OutgoingMail,
  once: Once,
  now: Date,
) {
  const { raw } = await composeMail(mail, once.key, now, { namesHidden: true })
  const { thread = null } = mail.answers ?? {}
  const message = { raw: raw.toString('base64url'), ...(thread !== null && { threadId: thread }) }
  const { id } = await readAs(await request('/drafts', { method: 'POST', body: { message } }), Draft)
  const draft = encodeURIComponent(id)
  await once.keep(draft)
  return draft
}

/** Writes a search of Gmail. Quotes cannot end a phrase, and words without colons are no operators. */
function toQuery({ words, from, subject, since, before, folder }: MailQuery): string {
  const phrase = (text: string) => `"${text.replaceAll('"', ' ')}"`
  return [
    folder ? `label:${phrase(folder)}` : 'in:inbox',
    ...(words ? [words.replace(/[{}()":]/g, ' ')] : []),
    ...(from ? [`from:${phrase(from)}`] : []),
    ...(subject ? [`subject:${phrase(subject)}`] : []),
    ...(since ? [`after:${since.replaceAll('-', '/')}`] : []),
    ...(before ? [`before:${before.replaceAll('-', '/')}`] : []),
  ].join(' ')
}

const headerOf = ({ payload }: Message, name: string) =>
  payload?.headers.find((one) => one.name.toLowerCase() === name.toLowerCase())?.value ?? ''

function summaryOf(message: Message) {
  const at = new Date(headerOf(message, 'Date'))
  return {
    id: message.id,
    from: headerOf(message, 'From'),
    to: addressesOf(headerOf(message, 'To')),
    subject: headerOf(message, 'Subject'),
    at: Number.isNaN(at.getTime()) ? null : at.toISOString(),
  }
}
