import type { KeptMail } from '#shared/knowledge/documents/kept-files.ts'
import { AttachedFiles } from '../elements/attach-files.ts'
import { paragraphOf } from '../elements/elements.ts'
import type { Job } from '../elements/port.ts'
import type { Run } from '../elements/runs.ts'
import { cleanHtml } from '../html/clean-html.ts'
import { readHtml } from '../html/read-html.ts'

export type Mail = {
  from: string
  to: string
  cc: string
  /** ISO 8601, or empty. */
  date: string
  subject: string
  html: string
  text: string
  attachments: { name: string; bytes: Uint8Array }[]
  /** Pictures in the HTML, by their content ids. */
  pictures: Map<string, { type: string; bytes: Uint8Array }>
}

const labels = {
  en: { from: 'From', to: 'To', cc: 'Cc', date: 'Date', subject: 'Subject' },
  fr: { from: 'De', to: 'À', cc: 'Cc', date: 'Date', subject: 'Objet' },
}

/** Writes a mail of any format: first its sender and recipients, then its body; its attachments become documents. */
export async function writeMail(job: Job, mail: Mail): Promise<void> {
  const { from, to, cc, date, subject, html, text } = mail
  const head = paragraphOf(headOf(job, mail))
  if (head) job.add(head)
  const body = html.trim() ? readHtml(html).elements : []
  for (const element of body.length > 0 ? body : paragraphsOf(text)) job.add(element)
  const files = new AttachedFiles(job)
  for (const { name, bytes } of mail.attachments) await files.addBytes(name, bytes)
  if (files.skipped > 0) job.warn({ code: 'attachments_skipped', values: { count: files.skipped } })
  const shown = html.trim() ? { html: cleanHtml(withPictures(mail)) } : {}
  const kept: KeptMail = {
    ...{ from, to, cc, date, subject, ...shown, text, attachments: files.names },
    remote_pictures: html.match(REMOTE_PICTURE)?.length ?? 0,
  }
  await job.keep('mail.json', Buffer.from(JSON.stringify(kept)))
  job.describe(
    Object.fromEntries(Object.entries({ subject, title: subject, from }).filter(([, value]) => value)),
  )
  job.progress(1, 1)
}

function headOf({ language }: Job, mail: Mail): Run[] {
  const names = ['from', 'to', 'cc', 'date', 'subject'] as const
  return names
    .filter((name) => mail[name] !== '')
    .flatMap((name, at) => [
      { text: at ? '\n' : '' },
      { text: `${labels[language][name]}:`, bold: true },
      {
        text: ` ${name === 'date' ? mail.date.replace('T', ' ').replace(/:\d\d(\.\d+)?Z$/, ' UTC') : mail[name]}`,
      },
    ])
}

function paragraphsOf(text: string) {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraphOf([{ text: paragraph }]))
    .filter((element) => element !== null)
}

const REMOTE_PICTURE = /<img\b[^<>]*\ssrc\s*=\s*["']?\s*(?:https?:)?\/\//gi

/** Larger pictures would make the page slow, so their places stay empty. */
const MAX_PICTURE_BYTES = 1_000_000

function withPictures({ html, pictures }: Mail): string {
  return html.replace(/(["'])cid:([^"']+)["']/gi, (whole, quote: string, id: string) => {
    const picture = pictures.get(id)
    if (!picture || picture.bytes.length > MAX_PICTURE_BYTES) return whole
    return `${quote}data:${picture.type};base64,${Buffer.from(picture.bytes).toString('base64')}${quote}`
  })
}
