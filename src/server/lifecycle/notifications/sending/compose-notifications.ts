import type { Language } from '#shared/platform/primitives.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { button, escapeHtml, page, paragraph } from '../../../platform/mail/mail-html.ts'
import { answersOf } from '../answering/mail-question.ts'
import type { Quotable, Waiting } from '../notification-store.ts'
import { notificationTexts } from '../texts.ts'
import { cut, fill, titleOf } from './notification-title.ts'

type Wish = {
  to: string
  language: Language
  /** Name of the product for the person; null: its own. */
  product?: string | null
  /** The notifications of the mail, oldest first; at least one. */
  items: Quotable[]
  isDigest: boolean
  /** Questions and replies are quoted. */
  showsContent: boolean
  /** Returns the address of the page that answers a question. */
  answerPage: (waiting: Waiting) => string
  /** Address of the product. */
  home: string
  /** Page that asks before it unsubscribes. */
  stopPage: string
  /** URL for one-click unsubscription by mail programs (RFC 8058). */
  oneClick: string
}

/** Composes one mail about notifications: what happened and where, in the person's language. */
export function composeNotifications(wish: Wish): Mail {
  const { to, language, items, isDigest, showsContent, answerPage, home, stopPage, oneClick } = wish
  const texts = notificationTexts(language, wish.product).mail
  const [first] = items
  if (!first) throw new Error('A mail needs a notification.')
  const lines = items.map((item) => ({
    title: titleOf(item, language),
    quote: showsContent && item.content ? cut(item.content) : null,
    link: item.path.startsWith('/') ? home + item.path : item.path,
    answers: item.waiting ? answerLinks(item.waiting, { answerPage, showsContent, texts }) : [],
  }))
  const subject = isDigest
    ? fill(items.length === 1 ? texts.digest_one : texts.digest, { count: String(items.length) })
    : items.length === 1
      ? titleOf(first, language)
      : fill(texts.several[first.kind], { count: String(items.length) })
  const stop = isDigest ? texts.stop_digest : texts.stop
  const why = fill(texts.why, { host: new URL(home).host })
  const settings = `${home}/user/notifications`
  return {
    to,
    subject: subject.replace(/\s+/g, ' '),
    text: [
      ...lines.map(({ title, quote, link, answers }) =>
        [title, quote, link, ...answers.map((one) => `${one.label}:\n${one.link}`)]
          .filter(Boolean)
          .join('\n'),
      ),
      why,
      `${texts.settings}:\n${settings}`,
      `${stop}:\n${stopPage}`,
    ].join('\n\n'),
    html: page([
      ...(lines.length === 1 ? [] : [`<h1 style="font-size:20px">${escapeHtml(subject)}</h1>`]),
      ...lines.map(({ title, quote, link, answers }) =>
        lines.length === 1
          ? paragraph(title) + quoted(quote) + linksOf(answers) + button(texts.open, link)
          : `<p><a href="${escapeHtml(link)}" style="color:#111">${escapeHtml(title)}</a></p>${quoted(quote)}${linksOf(answers)}`,
      ),
      `<p style="color:#555">${escapeHtml(why)}<br><a href="${escapeHtml(settings)}">${escapeHtml(texts.settings)}</a><br>` +
        `<a href="${escapeHtml(stopPage)}">${escapeHtml(stop)}</a></p>`,
    ]),
    headers: {
      'List-Unsubscribe': `<${oneClick}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  }
}

type Answering = Pick<Wish, 'answerPage' | 'showsContent'> & {
  texts: ReturnType<typeof notificationTexts>['mail']
}

/** Returns a link per answer. The answers of a choice are content, so that without it one link leads to all of them. */
function answerLinks(waiting: Waiting, { answerPage, showsContent, texts }: Answering) {
  const [asked, page] = [answersOf(waiting.request), answerPage(waiting)]
  if (!asked) return []
  const to = (label: string, answer: string) => ({
    label,
    link: `${page}&answer=${encodeURIComponent(answer)}`,
  })
  if (asked.type === 'boolean') return [to(texts.yes, 'true'), to(texts.no, 'false')]
  if (!showsContent) return [{ label: texts.answer, link: page }]
  return asked.options.map((option) => to(cut(option), option))
}

const linksOf = (answers: ReturnType<typeof answerLinks>) =>
  answers.length === 0
    ? ''
    : `<p>${answers.map(({ label, link }) => `<a href="${escapeHtml(link)}" style="display:inline-block;margin:0 12px 8px 0;color:#111">${escapeHtml(label)}</a>`).join(' ')}</p>`

const quoted = (quote: string | null) =>
  quote === null
    ? ''
    : `<p style="color:#555;border-left:3px solid #ddd;padding-left:12px">${escapeHtml(quote)}</p>`
