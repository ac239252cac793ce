import { describe, expect, it } from 'vitest'
import { anEntry } from '#tests/web/ledger-builder.ts'
import { daysLeft, groupByDay, pageSpan, tokensOf } from './ledger-days.ts'

describe('the usage list', () => {
  it('groups entries by date, newest first [SH-29, G-29]', () => {
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString()
    const entries = [at(21, 9), at(21, 1), at(20, 23), at(3, 12)].map((created_at) => anEntry({ created_at }))
    expect(groupByDay(entries).map(({ key, entries }) => [key, entries.length])).toEqual([
      ['2026-11-21', 2],
      ['2026-11-20', 1],
      ['2026-11-03', 1],
    ])
    expect(groupByDay([])).toEqual([])
  })

  it('adds input and output tokens, and returns null without any [SH-29]', () => {
    expect(tokensOf({ input_tokens: 12_000, output_tokens: 406 })).toBe(12_406)
    expect(tokensOf({ input_tokens: 5, output_tokens: null })).toBe(5)
    expect(tokensOf({ input_tokens: null, output_tokens: null })).toBeNull()
  })

  it('numbers the entries of a page from 1 [SV-87]', () => {
    expect(pageSpan(1, 50, 50)).toEqual({ first: 1, last: 50 })
    expect(pageSpan(3, 50, 12)).toEqual({ first: 101, last: 112 })
  })

  it("estimates how long the balance lasts at this month's rate [SH-29]", () => {
    const now = new Date(Date.UTC(2026, 10, 21))
    expect(daysLeft(4.2, -16, now)).toBe(5)
    expect(daysLeft(4.2, 0, now)).toBeNull()
    expect(daysLeft(0, -16, now)).toBeNull()
    expect(daysLeft(null, -16, now)).toBeNull()
    expect(daysLeft(4.2, -0.001, now)).toBeNull()
    expect(daysLeft(3, 1, new Date(Date.UTC(2026, 10, 1)))).toBe(3)
  })
})
