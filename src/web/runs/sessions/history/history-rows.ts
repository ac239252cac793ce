import type { Session } from '#shared/chat/sessions/sessions.ts'
import { groupOf, type HistoryGroup } from './history-dates.ts'

/** Heights of rows in pixels. They are fixed, so that nothing has to be measured. */
export const ROW_HEIGHT = { session: 88, header: 48, loader: 40 } as const
export const OVERSCAN = 15
/** Maximum remaining rows below the last visible one at which the next page is loaded. */
const LOAD_WITHIN = 5

export type HistoryHeading = HistoryGroup | 'pinned' | 'titles' | 'messages'

/** A row of the history. `position` counts sessions from 1; a folding row is being removed. */
export type HistoryRow =
  | { kind: 'header'; key: string; heading: HistoryHeading; folding: boolean }
  | { kind: 'session'; key: string; session: Session; position: number; folding: boolean }
  | { kind: 'loader'; key: string }

type Input = {
  sessions: readonly Session[]
  now: Date
  /** Search query; groups by date if it is empty. */
  query: string
  hasMore: boolean
  folding: ReadonlySet<string>
}

/** Returns the rows of the history: a header per group, its sessions, and a loader if there is more. */
export function buildHistoryRows({ sessions, now, query, hasMore, folding }: Input): HistoryRow[] {
  const headingOf = (session: Session) => {
    if (query) return isTitleHit(session.title, query) ? 'titles' : 'messages'
    return session.pin_position === null ? groupOf(session.updated_at, now) : 'pinned'
  }
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

/** Returns the height of a row in pixels; 0 for one that collapses. */
export function heightOf(row: HistoryRow | undefined): number {
  if (!row) return 0
  return row.kind !== 'loader' && row.folding ? 0 : ROW_HEIGHT[row.kind]
}

/** Returns whether the last visible row is close enough to the end to load more. */
export function isNearEnd(lastVisible: number, rowCount: number): boolean {
  return lastVisible >= rowCount - 1 - LOAD_WITHIN
}

/** Returns the index of the sticky header while the row at `index` is the first visible one. */
export function stickyHeaderAt(rows: readonly HistoryRow[], index: number): number | null {
  for (let at = Math.min(index, rows.length - 1); at >= 0; at -= 1) if (rows[at]?.kind === 'header') return at
  return null
}

/**
 * Returns the rows to render: those in the range, the sticky header, and the pinned row (the focused one), so that neither
 * focus nor an unfinished title is lost.
 */
export function withKept(range: readonly number[], kept: readonly (number | null)[]): number[] {
  const indexes = new Set(range)
  for (const index of kept) if (index !== null && index >= 0) indexes.add(index)
  return [...indexes].sort((a, b) => a - b)
}

/** Returns whether the title contains every word of the query, ignoring accents and case. */
function isTitleHit(title: string, query: string): boolean {
  const folded = fold(title)
  return fold(query)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}

/** Returns text for comparison: lower case without accents. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

function titlesFirst(sessions: readonly Session[], query: string): Session[] {
  const hits = sessions.filter((session) => isTitleHit(session.title, query))
  return [...hits, ...sessions.filter((session) => !isTitleHit(session.title, query))]
}
