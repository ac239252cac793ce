import { describe, expect, it } from 'vitest'
import { aSession } from '#tests/web/session-builder.ts'
import {
  buildHistoryRows,
  heightOf,
  isNearEnd,
  OVERSCAN,
  ROW_HEIGHT,
  stickyHeaderAt,
  withKept,
} from './history-rows.ts'

const now = new Date(2026, 10, 21, 9)
const at = (month: number, day: number) => new Date(2026, month - 1, day, 12).toISOString()
const sessions = [
  aSession({ title: 'Kessler call', updated_at: at(11, 20) }),
  aSession({ title: 'HVAC renewals', updated_at: at(11, 19) }),
  aSession({ title: 'Appel d’offres', updated_at: at(10, 28) }),
]
const input = { sessions, now, query: '', hasMore: false, folding: new Set<string>() }
const outline = (rows: ReturnType<typeof buildHistoryRows>) =>
  rows.map((row) =>
    row.kind === 'session' ? row.session.title : row.kind === 'header' ? row.heading : 'loader',
  )

describe('rows', () => {
  it('puts a header before every group [SE-03]', () => {
    expect(outline(buildHistoryRows(input))).toEqual([
      'last_7_days',
      'Kessler call',
      'HVAC renewals',
      'past_month',
      'Appel d’offres',
    ])
  })

  it('has a loader at the end if there is more [SE-04]', () => {
    expect(outline(buildHistoryRows({ ...input, hasMore: true })).at(-1)).toBe('loader')
  })

  it('measures 88, 48 and 40, and renders 15 rows ahead [SE-04]', () => {
    expect(ROW_HEIGHT).toEqual({ session: 88, header: 48, loader: 40 })
    expect(buildHistoryRows({ ...input, hasMore: true }).map(heightOf)).toEqual([48, 88, 88, 48, 88, 40])
    expect(OVERSCAN).toBe(15)
    expect(heightOf(undefined)).toBe(0)
  })

  it('loads more within 5 rows of the end [SE-04]', () => {
    expect(isNearEnd(44, 50)).toBe(true)
    expect(isNearEnd(43, 50)).toBe(false)
  })

  it('collapses deleted sessions, with their header if it has no others [SE-10]', () => {
    const folding = new Set([sessions[0]!.id, sessions[2]!.id])
    expect(buildHistoryRows({ ...input, folding }).map(heightOf)).toEqual([48, 0, 88, 0, 0])
  })

  it('groups hits into titles first, then messages [SE-24]', () => {
    const rows = buildHistoryRows({ ...input, query: 'appel' })
    expect(outline(rows)).toEqual(['titles', 'Appel d’offres', 'messages', 'Kessler call', 'HVAC renewals'])
    expect(rows.flatMap((row) => (row.kind === 'session' ? [row.position] : []))).toEqual([1, 2, 3])
  })
})

describe('rendered rows', () => {
  it('include the header of the visible group [SE-04]', () => {
    const rows = buildHistoryRows(input)
    expect(stickyHeaderAt(rows, 2)).toBe(0)
    expect(stickyHeaderAt(rows, 4)).toBe(3)
    expect(stickyHeaderAt([], 0)).toBeNull()
  })

  it('include the focused row, however far it is [SE-04]', () => {
    expect(withKept([40, 41, 42], [3, 0])).toEqual([0, 3, 40, 41, 42])
    expect(withKept([0, 1], [1, null, -1])).toEqual([0, 1])
  })
})
