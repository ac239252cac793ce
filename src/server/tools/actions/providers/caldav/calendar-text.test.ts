import { expect, it } from 'vitest'
import { readEvents } from './calendar-text.ts'

const inCalendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n')

it('reads an event without the texts and addresses of its alarms', () => {
  const text = inCalendar(
    ...['UID:1', 'SUMMARY:Review', 'DTSTART:20261201T090000Z'],
    ...['BEGIN:VALARM', 'ACTION:EMAIL', 'SUMMARY:Alarm', 'DESCRIPTION:Be there'],
    ...['ATTENDEE:mailto:assistant@example.org', 'DTEND:20000101T000000Z', 'END:VALARM'],
    'ATTENDEE:mailto:bob@example.org',
  )
  expect(readEvents(text)).toMatchObject([
    { title: 'Review', text: '', guests: ['bob@example.org'], ends: null },
  ])
})

it.each([
  ['in UTC', 'DTSTART:20260329T013000Z', '2026-03-29T01:30:00Z'],
  ['with its zone', 'DTSTART;TZID=Europe/Paris:20260329T033000', '2026-03-29T03:30:00 Europe/Paris'],
  ['with its quoted zone', 'DTSTART;TZID="Europe/Paris":20260329T033000', '2026-03-29T03:30:00 Europe/Paris'],
  ['without a zone, which is the same on every clock', 'DTSTART:20260329T033000', '2026-03-29T03:30:00'],
  ['as a day', 'DTSTART;VALUE=DATE:20260329', '2026-03-29'],
])('reads a time %s', (_, line, starts) => {
  expect(readEvents(inCalendar(line))).toMatchObject([{ starts }])
})
