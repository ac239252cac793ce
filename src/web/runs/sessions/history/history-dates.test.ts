import { describe, expect, it } from 'vitest'
import { dateWords, groupOf } from './history-dates.ts'

const now = new Date(2026, 10, 21, 9, 30)
const at = (year: number, month: number, day: number, hour = 12) =>
  new Date(year, month - 1, day, hour).toISOString()

describe('groups', () => {
  it.each([
    [at(2026, 11, 21, 0), 'last_7_days'],
    [at(2026, 11, 15, 0), 'last_7_days'],
    [at(2026, 11, 14, 23), 'past_month'],
    [at(2026, 10, 21, 0), 'past_month'],
    [at(2026, 10, 20, 23), 'past_3_months'],
    [at(2026, 8, 21, 0), 'past_3_months'],
    [at(2026, 8, 20, 23), 'past_year'],
    [at(2025, 11, 21, 0), 'past_year'],
    [at(2025, 11, 20, 23), 'older'],
    [at(2027, 1, 1), 'last_7_days'],
  ])('puts %s into %s [SE-03]', (timestamp, group) => {
    expect(groupOf(timestamp, now)).toBe(group)
  })

  it('counts a month back from the 31st without skipping into the next one [SE-03]', () => {
    const lastOfMarch = new Date(2026, 2, 31, 12)
    expect(groupOf(at(2026, 2, 28, 1), lastOfMarch)).toBe('past_month')
    expect(groupOf(at(2026, 2, 27, 23), lastOfMarch)).toBe('past_3_months')
  })
})

describe('is today and yesterday by calendar days, not by hours [SE-05]', () => {
  it('is the weekday within seven days, in the given language [SE-05]', () => {
    expect(dateWords(at(2026, 11, 21, 0), now, 'en')).toEqual({ word: 'today' })
    expect(dateWords(at(2026, 11, 20, 23), now, 'en')).toEqual({ word: 'yesterday' })
    expect(dateWords(at(2026, 11, 20, 1), now, 'fr')).toEqual({ word: 'yesterday' })
  })

  it('is the day and month later, with the year if it differs [SE-05]', () => {
    expect(dateWords(at(2026, 11, 19), now, 'en')).toEqual({ text: 'Thursday' })
    expect(dateWords(at(2026, 11, 15), now, 'en')).toEqual({ text: 'Sunday' })
    expect(dateWords(at(2026, 11, 19), now, 'fr')).toEqual({ text: 'Jeudi' })
  })

  it('treats a future time as today [SE-05]', () => {
    expect(dateWords(at(2026, 11, 14), now, 'en')).toEqual({ text: '14 Nov' })
    expect(dateWords(at(2026, 10, 28), now, 'fr')).toEqual({ text: '28 oct.' })
    expect(dateWords(at(2025, 12, 3), now, 'en')).toEqual({ text: '3 Dec 2025' })
  })

  it('takes a clock that runs ahead as today [SE-05]', () => {
    expect(dateWords(at(2026, 11, 22, 1), now, 'en')).toEqual({ word: 'today' })
  })
})
