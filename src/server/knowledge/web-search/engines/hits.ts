import type { WebHit } from '#shared/knowledge/web-search/web-port.ts'
import { MAX_SNIPPET, type TimeRange } from '#shared/knowledge/web-search/web-search.ts'
import { cleanLabel } from '#shared/platform/labels.ts'

const URL_MOST = 2_000
const TITLE_MOST = 300
/** Maximum characters of marked-up text that are parsed. */
const RAW_MOST = 20_000

/** A hit as the engine describes it. */
export type RawHit = {
  url: string
  title?: string | null | undefined
  snippet?: string | null | undefined
  engine: string
  /** A date in any format. */
  published?: string | null | undefined
}

/** Returns a hit with plain texts; empty when its address is not a web address. */
export function cleanHit({ url, title, snippet, engine, published }: RawHit): WebHit[] {
  if (url.length > URL_MOST || !URL.canParse(url)) return []
  const address = new URL(url)
  address.hash = ''
  // These characters would break the citation's Markdown.
  const plain = address.href.replace(/[|`$]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const isWeb = /^https?:$/.test(address.protocol) && !address.username && !address.password
  if (!isWeb || plain.length > URL_MOST) return []
  const hit = {
    url: plain,
    title:
      cleanLabel(
        plainText((title ?? '').slice(0, RAW_MOST))
          .slice(0, TITLE_MOST)
          .toWellFormed(),
      ).trim() || address.hostname,
    snippet: plainText((snippet ?? '').slice(0, RAW_MOST))
      .slice(0, MAX_SNIPPET)
      .toWellFormed(),
    engine: plainText(engine.slice(0, RAW_MOST)).slice(0, 50).toWellFormed(),
    published: readDate((published ?? '').slice(0, 100)),
  }
  return [hit]
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Engines mark matches with tags. */
function plainText(text: string): string {
  return text
    .replace(/<[^<>]{0,200}>/g, '')
    .replace(/&(?:#(\d{1,6})|(amp|lt|gt|quot|apos|nbsp));/g, (_, code?: string, name?: string) =>
      code ? String.fromCodePoint(Math.min(Number(code), 0x10ffff)) : (entities[name ?? ''] ?? ''),
    )
    .replace(/\s+/g, ' ')
    .trim()
}

function readDate(text: string): string | null {
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10)
}

const days: Record<TimeRange, number> = { day: 1, week: 7, month: 31, year: 366 }
const DAY_MS = 86_400_000

/** Returns the first day of a time range, as YYYY-MM-DD. */
export function firstDay(range: TimeRange, now: Date): string {
  return new Date(now.getTime() - days[range] * DAY_MS).toISOString().slice(0, 10)
}

/** Drops hits that are known to be older, because engines may ignore the time range. */
export function recentEnough(hits: readonly WebHit[], range: TimeRange | null, now: Date): WebHit[] {
  if (range === null) return [...hits]
  const first = firstDay(range, now)
  return hits.filter(({ published }) => published === null || published >= first)
}
