import type { CalendarEvent, EventDraft } from '#shared/tools/actions/action-port.ts'

const MAX_OCTETS = 75

const escapeText = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/[^\P{Cc}]/gu, ' ')
const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, '')

/** Writes an event with its guests (RFC 5545). */
export function writeEvent(
  event: EventDraft,
  { uid, organizer, now }: { uid: string; organizer: string; now: Date },
): string {
  const { title, starts, ends, place, guests = [], body } = event
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Atrium//Atrium//EN', 'BEGIN:VEVENT'],
    ...[
      `UID:${uid}`,
      `DTSTAMP:${stamp(now)}`,
      `DTSTART:${stamp(new Date(starts))}`,
      `DTEND:${stamp(new Date(ends))}`,
    ],
    `SUMMARY:${escapeText(title)}`,
    ...(place ? [`LOCATION:${escapeText(place)}`] : []),
    ...(body ? [`DESCRIPTION:${escapeText(body)}`] : []),
    ...(guests.length > 0 ? [`ORGANIZER:mailto:${organizer}`] : []),
    ...guests.map((guest) => `ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:${guest}`),
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ]
  return lines.map(fold).join('\r\n')
}

/** Breaks a line before it is longer than the standard allows, never within a character. */
function fold(line: string): string {
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > MAX_OCTETS) {
      parts.push(part)
      part = ''
      octets = 1
    }
    part += character
    octets += size
  }
  return [...parts, part].join('\r\n ')
}

type Line = { name: string; value: string; zone: string }

/** Reads the events of a calendar text, without the parts inside them, such as alarms. */
export function readEvents(text: string): CalendarEvent[] {
  const events: CalendarEvent[] = []
  let lines: Line[] | null = null
  let depth = 0
  for (const line of text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')) {
    if (line === 'BEGIN:VEVENT') [lines, depth] = [[], 0]
    else if (line === 'END:VEVENT' && lines) {
      events.push(toEvent(lines))
      lines = null
    } else if (line.startsWith('BEGIN:')) depth += 1
    else if (line.startsWith('END:')) depth -= 1
    else if (depth === 0) lines?.push(readLine(line))
  }
  return events
}

function readLine(line: string): Line {
  let isQuoted = false
  let end = line.length
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted
    if (line[at] === ':' && !isQuoted) {
      end = at
      break
    }
  }
  const [name = '', ...parameters] = line.slice(0, end).split(';')
  const zone = parameters.find((one) => one.startsWith('TZID=')) ?? ''
  const value = line.slice(end + 1)
  return { name: name.toUpperCase(), value, zone: zone.slice('TZID='.length).replaceAll('"', '') }
}

function toEvent(lines: readonly Line[]): CalendarEvent {
  const find = (name: string) => lines.find((line) => line.name === name)
  const text = (name: string) =>
    (find(name)?.value ?? '').replace(/\\(.)/g, (_, letter: string) => (/n/i.test(letter) ? '\n' : letter))
  const ends = find('DTEND')
  return {
    ...{
      id: text('UID'),
      title: text('SUMMARY'),
      starts: readTime(find('DTSTART')),
      ends: ends ? readTime(ends) : null,
    },
    ...{
      place: text('LOCATION'),
      organizer: mailOf(find('ORGANIZER')),
      text: text('DESCRIPTION').slice(0, 4000).toWellFormed(),
    },
    guests: lines
      .filter(({ name }) => name === 'ATTENDEE')
      .map(mailOf)
      .slice(0, 100),
  }
}

const mailOf = (line: Line | undefined) => (line?.value ?? '').replace(/^mailto:/i, '')

/** Returns a time in ISO 8601: with Z in UTC, with its zone after it, or as a day. */
function readTime(line: Line | undefined): string {
  const [, year, month, day, clock] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6}Z?))?$/.exec(line?.value ?? '') ?? []
  if (year === undefined) return line?.value ?? ''
  const date = `${year}-${month}-${day}`
  if (clock === undefined) return date
  const time = `${clock.slice(0, 2)}:${clock.slice(2, 4)}:${clock.slice(4, 6)}`
  return clock.endsWith('Z') ? `${date}T${time}Z` : `${date}T${time}${line?.zone ? ` ${line.zone}` : ''}`
}
