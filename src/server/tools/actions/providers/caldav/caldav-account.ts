import { AppError } from '#shared/platform/errors.ts'
import type { CalendarEvent, EventDraft, EventRange } from '#shared/tools/actions/action-port.ts'
import { CaldavSettings } from '#shared/tools/actions/personal-accounts.ts'
import { textOf } from '../../../../knowledge/connectors/connectors.ts'
import { UnknownOutcome } from '../../../../runs/runs/runs.ts'
import { NotDone, type Once, type OpenAccount } from '../provider-port.ts'
import { readEvents, writeEvent } from './calendar-text.ts'
import { type DavReach, readResponses, requestDav } from './dav-requests.ts'

const MAX_EVENTS = 200

type Context = Omit<DavReach, 'settings'> & { now: () => Date }

/** Opens a calendar with its stored settings, whose address is that of the calendar itself. */
export function openCaldav({ now, ...context }: Context, stored: unknown): OpenAccount {
  const settings = CaldavSettings.parse(stored)
  const reach: DavReach = { ...context, settings }
  return {
    ...{ address: settings.address, name: '' },
    calendar: {
      list: (range) => listEvents(reach, range),
      create: (event, once) => createEvent(reach, event, once, now()),
    },
  }
}

async function listEvents(reach: DavReach, { from, to }: EventRange): Promise<CalendarEvent[]> {
  const [start, end] = [from, to].map((at) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, ''))
  const body = `<?xml version="1.0"?><c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop>
<c:calendar-data><c:expand start="${start}" end="${end}"/></c:calendar-data></d:prop><c:filter><c:comp-filter name="VCALENDAR">
<c:comp-filter name="VEVENT"><c:time-range start="${start}" end="${end}"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`
  const headers = { depth: '1', 'content-type': 'application/xml' }
  const answer = await requestDav(reach, reach.settings.url, { method: 'REPORT', headers, body })
  const events = (await readResponses(answer)).flatMap((one) => readEvents(textOf(one, 'calendar-data')))
  return events.sort((a, b) => (a.starts < b.starts ? -1 : 1)).slice(0, MAX_EVENTS)
}

/** Creates an event under a name that a repeated call uses again. The server refuses a second one of that name. */
async function createEvent(reach: DavReach, event: EventDraft, { key, isResumed }: Once, now: Date) {
  const { address, url: calendar } = reach.settings
  const url = `${calendar}${key}.ics`
  const { title, starts, guests = [] } = event
  const done = (already: boolean) => ({ id: key, title, starts, guests, already })
  if (isResumed) {
    const { status } = await requestDav(reach, url, { method: 'GET' })
    if (status === 404) throw new NotDone()
    if (status !== 200) throw new UnknownOutcome()
    return done(true)
  }
  if (guests.length > 0) await assertInvites(reach)
  const headers = { 'if-none-match': '*', 'content-type': 'text/calendar; charset=utf-8' }
  const body = writeEvent(event, { uid: key, organizer: address, now })
  const { status } = await requestDav(reach, url, { method: 'PUT', headers, body }).catch((error) => {
    throw new UnknownOutcome({ cause: error })
  })
  if (status === 412) return done(true)
  if (status >= 500) throw new UnknownOutcome()
  if (status >= 300)
    throw new AppError('unavailable', `${new URL(url).host} refuses the event with the status ${status}.`)
  return done(false)
}

/** A server without scheduling stores guests, but invites no one. */
async function assertInvites(reach: DavReach): Promise<void> {
  const { headers } = await requestDav(reach, reach.settings.url, { method: 'OPTIONS' })
  if ((headers.get('dav') ?? '').includes('calendar-auto-schedule')) return
  throw new AppError(
    'not_available',
    'This calendar server invites no one. Create the event without guests, and write them a mail.',
  )
}
