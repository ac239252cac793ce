import { describe, expect, it } from 'vitest'
import type { Rule } from '#shared/chat/schedules/rule.ts'
import { dueTimes, isDate, isZone } from './due-times.ts'

const far = new Date('2100-01-01T00:00:00Z')
const times = (rule: Rule, time_zone: string, after: string, limit = 3, anchor = after) =>
  dueTimes({ rule, time_zone, anchor_at: new Date(anchor) }, new Date(after), far, limit).map((at) =>
    at.toISOString().slice(0, 16),
  )

const daily = (time: string): Rule => ({ kind: 'days', count: 1, time })

describe('dueTimes', () => {
  it('moves a skipped time to the clock change, and runs a repeated time once, in each zone [SD-04]', () => {
    expect(times(daily('02:30'), 'Europe/Paris', '2027-03-26T12:00Z')).toEqual([
      '2027-03-27T01:30',
      '2027-03-28T01:00',
      '2027-03-29T00:30',
    ])
    expect(times(daily('02:30'), 'Europe/Paris', '2027-10-29T12:00Z')).toEqual([
      '2027-10-30T00:30',
      '2027-10-31T00:30',
      '2027-11-01T01:30',
    ])
    expect(times(daily('02:30'), 'America/New_York', '2027-03-13T12:00Z', 2)).toEqual([
      '2027-03-14T07:00',
      '2027-03-15T06:30',
    ])
    expect(times(daily('01:30'), 'America/New_York', '2027-11-06T12:00Z', 2)).toEqual([
      '2027-11-07T05:30',
      '2027-11-08T06:30',
    ])
    // Half an hour is skipped and repeated on Lord Howe Island.
    expect(times(daily('02:15'), 'Australia/Lord_Howe', '2027-10-02T00:00Z', 2)).toEqual([
      '2027-10-02T15:30',
      '2027-10-03T15:15',
    ])
    expect(times(daily('01:45'), 'Australia/Lord_Howe', '2027-04-03T00:00Z', 2)).toEqual([
      '2027-04-03T14:45',
      '2027-04-04T15:15',
    ])
  })

  it('counts intervals as elapsed time across a clock change', () => {
    const rule: Rule = { kind: 'interval', count: 2, unit: 'hours' }
    expect(times(rule, 'Europe/Paris', '2027-03-27T23:00Z', 3)).toEqual([
      '2027-03-28T01:00',
      '2027-03-28T03:00',
      '2027-03-28T05:00',
    ])
  })

  it('keeps the rhythm of every n days from the anchor', () => {
    const rule: Rule = { kind: 'days', count: 3, time: '08:00' }
    expect(times(rule, 'UTC', '2027-01-05T09:00Z', 2, '2027-01-01T00:00Z')).toEqual([
      '2027-01-07T08:00',
      '2027-01-10T08:00',
    ])
  })

  it('finds the runs of a rhythm of years', () => {
    const rule: Rule = { kind: 'days', count: 1000, time: '08:00' }
    expect(times(rule, 'UTC', '2027-01-01T09:00Z', 5)).toEqual([
      ...['2029-09-27T08:00', '2032-06-23T08:00', '2035-03-20T08:00', '2037-12-14T08:00', '2040-09-09T08:00'],
    ])
    expect(times(rule, 'UTC', '2040-09-09T08:00Z', 1, '2027-01-01T09:00Z')).toEqual(['2043-06-06T08:00'])
  })

  it('returns weekdays, days of the month and the last day', () => {
    const weekdays: Rule = { kind: 'weekdays', days: [1, 5], time: '08:00' }
    expect(times(weekdays, 'Europe/Paris', '2027-01-01T12:00Z')).toEqual([
      '2027-01-04T07:00',
      '2027-01-08T07:00',
      '2027-01-11T07:00',
    ])
    const monthly: Rule = { kind: 'month_days', days: [31, -1], time: '08:00' }
    expect(times(monthly, 'UTC', '2028-01-15T00:00Z', 3)).toEqual([
      '2028-01-31T08:00',
      '2028-02-29T08:00',
      '2028-03-31T08:00',
    ])
    const thirtyFirst: Rule = { kind: 'month_days', days: [31], time: '08:00' }
    expect(times(thirtyFirst, 'UTC', '2028-01-31T09:00Z', 2)).toEqual([
      '2028-03-31T08:00',
      '2028-05-31T08:00',
    ])
  })

  it('returns a single run once', () => {
    const rule: Rule = { kind: 'once', date: '2027-02-01', time: '08:00' }
    expect(times(rule, 'Asia/Tokyo', '2027-01-01T00:00Z')).toEqual(['2027-01-31T23:00'])
    expect(times(rule, 'Asia/Tokyo', '2027-01-31T23:00Z')).toEqual([])
  })

  it('continues without a gap or a repetition when it is read in parts', () => {
    const timed = {
      ...{ rule: daily('02:30'), time_zone: 'Europe/Paris' },
      anchor_at: new Date('2027-01-01T00:00Z'),
    }
    const [from, to] = [new Date('2027-01-01T00:00Z'), new Date('2028-01-01T00:00Z')]
    const whole = dueTimes(timed, from, to, 1000)
    const parts: Date[] = []
    for (let at = from; at < to; at = new Date(at.getTime() + 7_200_000))
      parts.push(...dueTimes(timed, at, new Date(at.getTime() + 7_200_000), 1000))
    expect(whole).toHaveLength(365)
    expect(parts).toEqual(whole)
  })

  it('knows zones and dates', () => {
    expect(['Europe/Paris', 'UTC', 'Europe/Nowhere', '+02:00', ''].filter(isZone)).toEqual([
      'Europe/Paris',
      'UTC',
    ])
    expect(['2028-02-29', '2027-02-29', '2027-13-01', 'tomorrow'].filter(isDate)).toEqual(['2028-02-29'])
  })
})
