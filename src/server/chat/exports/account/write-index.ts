import type { AccountExportWish } from '#shared/chat/exports/exports.ts'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { localeOf } from '#shared/platform/locale.ts'
import { fill, wordsOf } from '../chat/words.ts'
import { escapeHtml, pageHead } from '../writers/page-head.ts'

/** An archive entry as listed in the index. */
export type Indexed = {
  chats: { title: string; file: string; at: Date }[]
  documents: { title: string; file: string; size: number }[]
  files: { title: string; file: string; size: number }[]
  lists: string[]
  /** Files that could not be read from the store, with the path they would have in the archive. */
  unread: { id: string; name: string; file: string }[]
}

/** Unreadable files named on the page; `data/` has them all. */
const LISTED_UNREAD = 1_000

/** The list of unreadable files in `data/`, present only when there are any. */
export const UNREAD = 'unreadable-files'

/** Returns the archive's index page. Its links work wherever the archive is unpacked. */
export function writeIndex(
  { chats, documents, files, lists, unread }: Indexed,
  person: User,
  { language, time_zone }: AccountExportWish,
  now: Date,
): string {
  const words = wordsOf(language).archive
  const locale = localeOf(language)
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: time_zone })
  const name = person.full_name?.trim() || person.username
  const title = fill(words.title, { name })
  const link = (file: string, text: string) =>
    `<a href="${escapeHtml(encodeURI(file).replaceAll('#', '%23'))}">${escapeHtml(text)}</a>`
  const section = (heading: string, rows: string[], count = rows.length) =>
    `<h2>${escapeHtml(heading)} (${count})</h2>\n${rows.length === 0 ? `<p class="quiet">${escapeHtml(words.none)}</p>` : `<ul>\n${rows.map((row) => `<li>${row}</li>`).join('\n')}\n</ul>`}\n`
  const newest = chats.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  return [
    pageHead(title, language),
    `<h1>${escapeHtml(title)}</h1>\n<p class="quiet">${escapeHtml(fill(words.made, { date: day.format(now), email: person.email }))}</p>\n`,
    section(
      words.chats,
      newest.map(
        (chat) =>
          `${link(chat.file, chat.title)} <span class="quiet">${escapeHtml(day.format(chat.at))}</span>`,
      ),
    ),
    section(
      words.documents,
      documents.map((one) => link(one.file, one.title)),
    ),
    section(
      words.files,
      files.map((one) => link(one.file, one.title)),
    ),
    unread.length === 0
      ? ''
      : section(
          words.unread,
          unread.slice(0, LISTED_UNREAD).map(({ name }) => escapeHtml(name)),
          unread.length,
        ),
    section(
      words.data,
      ['profile', ...lists, ...(unread.length > 0 ? [UNREAD] : [])].map((one) =>
        link(`data/${one}.json`, `${one}.json`),
      ),
    ),
    '</body>\n</html>\n',
  ].join('')
}
