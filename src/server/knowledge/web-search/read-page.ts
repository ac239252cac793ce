import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cleanLabel } from '#shared/platform/labels.ts'
import { Unreadable } from '../../platform/parsing/parsing.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Page } from './store.ts'
import { PageRefused } from './unread.ts'

type Deps = Pick<Platform, 'config' | 'outbound' | 'parsing'>

/** Maximum characters stored of a page. */
const TEXT_MOST = 100_000
const PAGES_MOST = 50
/** Timeout for parsing a page. */
const READING_SECONDS = 10
const TITLE_MOST = 300

const headers = {
  'user-agent': 'Mozilla/5.0 (compatible; Atrium)',
  accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.1',
}

/** Fetches a page and extracts its article in another process. @throws AppError, PageRefused, Unreadable; the reason of `signal` */
export async function readPage(
  { config, outbound, parsing }: Deps,
  url: string,
  signal: AbortSignal,
): Promise<Page> {
  const seconds = config.ATRIUM_LIMIT_WEB_SECONDS
  const maxBytes = config.ATRIUM_LIMIT_WEB_PAGE_KB * 1024
  const trusted = config.ATRIUM_WEB_PRIVATE
  const answer = await outbound.fetch(url, { headers, maxBytes, seconds, trusted, signal })
  if (!answer.ok) throw new PageRefused(answer.status)
  const name = nameOf(answer.headers.get('content-type') ?? '', answer.bytes)
  if (!name) throw new Unreadable('unsupported')
  const limits = { pages: PAGES_MOST, characters: 2 * TEXT_MOST, rows: 1_000 }
  const wish = {
    ...({ name, pipeline: 'low_latency', articleOnly: true, language: 'en' } as const),
    limits: { ...limits, unpackedBytes: maxBytes, entries: 1, depth: 1 },
    settings: { ocrLanguages: [], transcription: null, modelsFolder: config.modelsDir },
  }
  return parsing.read(wish, {
    ...{ signal, queue: 'pages', seconds: READING_SECONDS },
    bring: (path) => writeFile(path, answer.bytes),
    use: async ({ facts }, folder) => {
      const text = (await readFile(join(folder, 'text.md'), 'utf8')).slice(0, TEXT_MOST).toWellFormed()
      const title = String(facts.title ?? '')
        .replace(/\s+/g, ' ')
        .trim()
      const published = String(facts.published ?? '')
      return {
        ...{ url, text: text.replaceAll('\0', ''), title: cleanLabel(title.slice(0, TITLE_MOST)) },
        published: Number.isNaN(Date.parse(published))
          ? null
          : new Date(published).toISOString().slice(0, 10),
      }
    },
  })
}

const TEXTS = /^(?:text\/|application\/(?:xhtml\+xml|xml|json|ld\+json)|$)/

/** Returns the file name under which a page is parsed: PDF, HTML or plain text, judged by its bytes. Null for anything else. */
function nameOf(type: string, bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  if (head.startsWith('%PDF-')) return 'page.pdf'
  // UTF-16 contains zeros and starts with a byte order mark.
  const isText = !head.includes('\0') || /^(?:ÿþ|þÿ)/.test(head)
  if (!isText || !TEXTS.test(type.trim().toLowerCase())) return null
  return /html/i.test(type) || /^\s*<(?:!doctype html|html)/i.test(head) ? 'page.html' : 'page.txt'
}
