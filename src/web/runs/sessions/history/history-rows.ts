import type { Session } from '#shared/chat/sessions/sessions.ts'
import { groupOf, type HistoryGroup } from './history-dates.ts'

/** Pixels of a row. They are exact, so that nothing has to be measured. */
export const ROW_HEIGHT = { session: 88, header: 48, loader: 40 } as const
export const OVERSCAN = 15
/** The next page is asked for when this many rows or fewer are left below the last visible one. */
const LOAD_WITHIN = 5

export type HistoryHeading = HistoryGroup | 'titles' | 'messages'

/** A row of the history. `position` counts sessions from 1; a folding row is on its way out. */
export type HistoryRow =
  | { kind: 'header'; key: string; heading: HistoryHeading; folding: boolean }
  | { kind: 'session'; key: string; session: Session; position: number; folding: boolean }
  | { kind: 'loader'; key: string }

type Input = {
  sessions: readonly Session[]
  now: Date
  /** What is searched for; an empty text groups by date instead. */
  query: string
  hasMore: boolean
  folding: ReadonlySet<string>
}

/** The rows of the history: a header per group, its sessions, and a loader while there is more. */
export function buildHistoryRows({ sessions, now, query, hasMore, folding }: Input): HistoryRow[] {
  const headingOf = (session: Session) =>
    query ? (isTitleHit(session.title, query) ? 'titles' : 'messages') : groupOf(session.updated_at, now)
  const ordered = query ? titlesFirst(sessions, query) : sessions
  const rows: HistoryRow[] = []
  const headers = new Map<HistoryHeading, Extract<HistoryRow, { kind: 'header' }>>()
  for (const [index, session] of ordered.entries()) {
    const heading = headingOf(session)
    const header = headers.get(heading) ?? {
      kind: 'header',
      key: `header:${heading}`,
      heading,
      folding: true,
    }
    if (!headers.has(heading)) rows.push(header)
    headers.set(heading, header)
    const isFolding = folding.has(session.id)
    if (!isFolding) header.folding = false
    rows.push({ kind: 'session', key: session.id, session, position: index + 1, folding: isFolding })
  }
  if (hasMore) rows.push({ kind: 'loader', key: 'loader' })
  return rows
}

/** The height of a row in pixels; a folding one is on its way to nothing. */
export function heightOf(row: HistoryRow | undefined): number {
  if (!row) return 0
  return row.kind !== 'loader' && row.folding ? 0 : ROW_HEIGHT[row.kind]
}

/** Whether the last row in sight is near enough to the end to load more. */
export function isNearEnd(lastVisible: number, rowCount: number): boolean {
  return lastVisible >= rowCount - 1 - LOAD_WITHIN
}

/** The index of the header that sticks to the top while the row at `index` is the first in sight. */
export function stickyHeaderAt(rows: readonly HistoryRow[], index: number): number | null {
  for (let at = Math.min(index, rows.length - 1); at >= 0; at -= 1) if (rows[at]?.kind === 'header') return at
  return null
}

/**
 * Which rows are in the document: those in the range, the sticky header, and the pinned row
 * (the one with the focus), so that neither focus nor a half-typed title is ever lost.
 */
export function withKept(range: readonly number[], kept: readonly (number | null)[]): number[] {
  const indexes = new Set(range)
  for (const index of kept) if (index !== null && index >= 0) indexes.add(index)
  return [...indexes].sort((a, b) => a - b)
}

/** Whether every word of the query is in the title, accents and case aside. */
function isTitleHit(title: string, query: string): boolean {
  const folded = fold(title)
  return fold(query)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}

/** Text for comparing: without accents and in lower case. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

function titlesFirst(sessions: readonly Session[], query: string): Session[] {
  const hits = sessions.filter((session) => isTitleHit(session.title, query))
  return [...hits, ...sessions.filter((session) => !isTitleHit(session.title, query))]
}
