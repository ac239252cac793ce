import { giveTurns } from '../../give-turns.ts'
import { escapeHtml, linkHtml, pageHtml } from '../../requests/page-html.ts'
import type { Message, Thread } from './messages.ts'

/** Characters of a day that are written; later messages are left out. */
const MAX_CHARACTERS = 20_000_000

type Names = { person: (id: string) => string; channel: (id: string) => string }

/** Returns the messages of a day as HTML, each with its author and time. */
export async function dayHtml(title: string, threads: readonly Thread[], names: Names): Promise<string> {
  const parts: string[] = []
  const turn = giveTurns()
  let left = MAX_CHARACTERS
  for (const { message, replies, leftOut } of threads) {
    const written = [messageHtml(message, names)]
    for (const reply of replies) {
      written.push(`<blockquote>${messageHtml(reply, names)}</blockquote>`)
      await turn()
    }
    if (leftOut > 0) written.push(`<blockquote><p>(${leftOut} replies are left out.)</p></blockquote>`)
    const html = written.join('\n')
    left -= html.length
    if (left < 0) break
    parts.push(html)
    await turn()
  }
  return pageHtml({ title, body: parts.join('\n') })
}

function messageHtml(message: Message, names: Names): string {
  const { ts, user, username, bot_profile, text, files, attachments, edited } = message
  const author = user ? names.person(user) : username || bot_profile?.name || 'Unknown'
  const time = new Date(Number(ts) * 1000).toISOString().replace('T', ' ').slice(0, 16)
  const shown = (attachments ?? []).map(({ title, text: words, fallback }) =>
    [title, words ?? fallback].filter(Boolean).join('\n'),
  )
  const lines = [text ?? '', ...shown].filter(Boolean).map((one) => textHtml(one, names))
  const list = (files ?? []).map(({ title, name }) => `<li>${escapeHtml(title || name || 'File')}</li>`)
  return [
    `<p><strong>${escapeHtml(author)}</strong> ${time} UTC${edited ? ' (edited)' : ''}<br>${lines.join('<br>')}</p>`,
    list.length > 0 ? `<ul>${list.join('')}</ul>` : '',
  ].join('')
}

/** Translates the markup of Slack, in which people, channels and links are in angle brackets. */
function textHtml(text: string, names: Names): string {
  return text
    .split(/(<[^<>]*>)/)
    .map((part) => {
      if (!/^<[^<>]*>$/.test(part)) return escapeHtml(plain(part)).replaceAll('\n', '<br>')
      const [target = '', label] = split(part.slice(1, -1))
      if (target.startsWith('@')) return escapeHtml(`@${label || names.person(target.slice(1))}`)
      if (target.startsWith('#')) return escapeHtml(`#${label || names.channel(target.slice(1))}`)
      if (target.startsWith('!')) return escapeHtml(label || `@${target.slice(1)}`)
      return linkHtml(plain(target), escapeHtml(plain(label || target)))
    })
    .join('')
}

function split(link: string): [string, string?] {
  const at = link.indexOf('|')
  return at < 0 ? [link] : [link.slice(0, at), plain(link.slice(at + 1))]
}

/** Slack escapes three characters. */
const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
