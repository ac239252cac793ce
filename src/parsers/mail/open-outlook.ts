import type { Job } from '../elements/port.ts'
import { readHtml } from '../html/read-html.ts'
import { type OutlookMail, readTnef } from './read-tnef.ts'
import type { Attached } from './sort-attached.ts'

const OUTLOOK = /^application\/(vnd\.)?ms-tnef| winmail\.dat$/

/** Opens attachments in Outlook's own format and puts their bodies and files in their place. */
export function openOutlook(
  job: Pick<Job, 'warn'>,
  attached: Attached[],
): { attached: Attached[]; bodies: OutlookMail[] } {
  const bodies: OutlookMail[] = []
  const all = attached.flatMap((one) => {
    if (!OUTLOOK.test(`${one.type.toLowerCase()} ${one.name.toLowerCase()}`)) return [one]
    try {
      const mail = readTnef(one.bytes)
      bodies.push(mail)
      return mail.attachments
    } catch {
      // The mail around it is still read, with a warning.
      job.warn({ code: 'mail_in_outlook_format' })
      return []
    }
  })
  return { attached: all, bodies }
}

/** The body of a mail with the additional text of the bodies in Outlook's format. */
export function withBodies(
  { html, text }: { html: string; text: string },
  bodies: OutlookMail[],
): { html: string; text: string } {
  const [first] = bodies
  if (!html.trim() && !text.trim() && first?.html) return { html: first.html, text: first.text }
  const known = tidy(html.trim() ? textOfHtml(html) : text)
  const more = bodies
    .map((body) => body.text.trim() || textOfHtml(body.html))
    .filter((one) => one !== '' && !known.includes(tidy(one)))
  if (more.length === 0) return { html, text }
  const shown = more.map((one) => `<pre>${escapeHtml(one)}</pre>`).join('')
  return { html: html.trim() ? `${html}<hr>${shown}` : html, text: [text.trim(), ...more].join('\n\n') }
}

const textOfHtml = (html: string) =>
  readHtml(html)
    .elements.map(({ text }) => text)
    .join('\n\n')

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim()
const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
