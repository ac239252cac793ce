import type { Language } from '#shared/platform/primitives.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { button, escapeHtml, page, paragraph } from '../../../platform/mail/mail-html.ts'
import { mailTexts } from '../../accounts/accounts.ts'
import type { Addressed } from './mail-store.ts'

const MAX_SUBJECT = 100

type Links = {
  /** Address of the product. */
  home: string
  /** Page that asks before it unsubscribes. */
  stopPage: string
  /** URL for one-click unsubscription by mail programs (RFC 8058). */
  oneClick: string
}

/** Composes the mail of an announcement in the person's language; the text is in the other one when there is no translation. */
export function composeAnnouncement(
  to: Addressed,
  { home, stopPage, oneClick }: Links,
  product: string | null = null,
): Mail {
  const language: Language = to.language === 'fr' ? 'fr' : 'en'
  const texts = mailTexts(language, product).announcement
  const text = (language === 'fr' ? to.text_fr : to.text_en) ?? to.text_en ?? to.text_fr ?? ''
  const why = texts.why.replace('{{host}}', new URL(home).host)
  const [action, link] = to.link ? [texts.more, to.link] : [texts.open, home]
  return {
    to: to.email,
    subject: texts[to.tone].replace('{{text}}', () => firstSentence(text)),
    text: [text, `${action}:\n${link}`, why, `${texts.stop}:\n${stopPage}`].join('\n\n'),
    html: page([
      ...text.split('\n').filter(Boolean).map(paragraph),
      button(action, link),
      `<p style="color:#555">${escapeHtml(why)}<br><a href="${escapeHtml(stopPage)}">${escapeHtml(texts.stop)}</a></p>`,
    ]),
    headers: {
      'List-Unsubscribe': `<${oneClick}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  }
}

/** Returns the first sentence in one line, cut when it is too long for a subject. */
function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const end = line.search(/[.!?…。！？](?=\s|$)/u)
  const sentence = [...(end < 0 ? line : line.slice(0, end + 1))]
  return sentence.length > MAX_SUBJECT ? `${sentence.slice(0, MAX_SUBJECT - 1).join('')}…` : sentence.join('')
}
