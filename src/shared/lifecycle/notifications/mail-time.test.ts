import { describe, expect, it } from 'vitest'
import { endOfQuiet, mailTime } from './mail-time.ts'

const paris = {
  ...{ quiet: { from: 19 * 60, until: 7 * 60 + 30 }, quiet_weekends: false, time_zone: 'Europe/Paris' },
  ...{ only_away: true, digest_at: null },
}
const loud = { ...paris, quiet: null }
const at = (time: string) => new Date(time)
const away = { lastSent: null, isPresent: false, deadline: null }

describe('mailTime', () => {
  it('sends immediately when nothing holds the mail', () => {
    const now = at('2026-11-25T12:00:30Z')
    expect(mailTime(paris, { ...away, now, oldest: now })).toEqual(now)
  })

  it('waits while a browser is in use, unless the person wants mails anyway', () => {
    const now = at('2026-11-25T12:00:00Z')
    const present = { ...away, now, oldest: now, isPresent: true }
    expect(mailTime(paris, present)).toEqual(at('2026-11-25T12:01:00Z'))
    expect(mailTime({ ...paris, only_away: false }, present)).toEqual(now)
  })

  it('waits for an hour after the last mail of the same kind', () => {
    const now = at('2026-11-25T12:00:00Z')
    const lastSent = at('2026-11-25T11:20:00Z')
    expect(mailTime(paris, { ...away, now, oldest: now, lastSent })).toEqual(at('2026-11-25T12:20:00Z'))
  })

  it('waits for the daily mail, even when the last one was just sent', () => {
    const daily = { ...loud, digest_at: 18 * 60 }
    const oldest = at('2026-11-25T12:00:00Z')
    const now = at('2026-11-25T12:05:00Z')
    expect(mailTime(daily, { ...away, now, oldest })).toEqual(at('2026-11-25T17:00:00Z'))
    const late = at('2026-11-25T17:00:10Z')
    expect(mailTime(daily, { ...away, now: late, oldest, isPresent: true })).toEqual(late)
    expect(mailTime(daily, { ...away, now: late, oldest: late })).toEqual(at('2026-11-26T17:00:00Z'))
  })

  it('sends a question in the quiet hours when its deadline is within them', () => {
    const now = at('2026-11-25T20:00:00Z')
    const asked = { ...away, now, oldest: now }
    expect(mailTime(paris, { ...asked, deadline: at('2026-11-26T05:00:00Z') })).toEqual(now)
    expect(mailTime(paris, { ...asked, deadline: at('2026-11-26T12:00:00Z') })).toEqual(
      at('2026-11-26T06:30:00Z'),
    )
  })
})

describe('endOfQuiet', () => {
  it.each([
    ['before they begin', '2026-11-25T17:59:59Z', '2026-11-25T17:59:59Z'],
    ['in the evening', '2026-11-25T18:00:00Z', '2026-11-26T06:30:00Z'],
    ['in the morning', '2026-11-26T06:29:40Z', '2026-11-26T06:30:00Z'],
    ['when they end', '2026-11-26T06:30:00Z', '2026-11-26T06:30:00Z'],
    ['when the clock goes back at night', '2026-10-24T20:00:00Z', '2026-10-25T06:30:00Z'],
    ['when the clock goes forward at night', '2026-03-28T20:00:00Z', '2026-03-29T05:30:00Z'],
  ])('follows the time zone %s', (_, now, end) => {
    expect(endOfQuiet(paris, at(now))).toEqual(at(end))
  })

  it('ends a quiet weekend after the quiet hours of Monday morning', () => {
    const settings = { ...paris, quiet_weekends: true }
    expect(endOfQuiet(settings, at('2026-11-28T12:00:00Z'))).toEqual(at('2026-11-30T06:30:00Z'))
    expect(endOfQuiet({ ...settings, quiet: null }, at('2026-11-28T12:00:00Z'))).toEqual(
      at('2026-11-29T23:00:00Z'),
    )
  })
})
