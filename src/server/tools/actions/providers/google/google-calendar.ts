import * as z from 'zod'
import type { CalendarEvent } from '#shared/tools/actions/action-port.ts'
import { type CalendarService, NotDone } from '../provider-port.ts'
import type { SignedContext } from '../signed-account.ts'
import { createJson, readAs } from '../signed-json.ts'

const Time = z.object({ dateTime: z.string().optional(), date: z.string().optional() })
const Person = z.object({ email: z.string().default('') })
const Event = z.object({
  id: z.string(),
  summary: z.string().default(''),
  start: Time.default({}),
  end: Time.optional(),
  location: z.string().default(''),
  description: z.string().default(''),
  organizer: Person.optional(),
  attendees: z.array(Person).default([]),
})
const Listed = z.object({ items: z.array(Event).default([]) })

const EVENTS = '/calendars/primary/events'

/** Uses a calendar through the Google Calendar API (v3). */
export function createGoogleCalendar(context: SignedContext): CalendarService {
  const request = createJson(context, () => `${context.config.GOOGLE_CALENDAR_URL}/calendar/v3`)
  return {
    list: async ({ from, to }) => {
      const query = {
        timeMin: from,
        timeMax: to,
        singleEvents: 'true',
        orderBy: 'startTime',
        maxResults: '200',
      }
      const { items } = await readAs(await request(`${EVENTS}?${new URLSearchParams(query)}`), Listed)
      return items.map(toEvent)
    },
    // The event has the id of the call, and Google refuses a second one with it.
    create: async ({ title, starts, ends, place, guests = [], body }, { key, isResumed }) => {
      const id = key.replaceAll('-', '')
      const done = (already: boolean) => ({ id, title, starts, guests, already })
      if (isResumed) {
        const { status } = await request(`${EVENTS}/${id}`, { allows: [404] })
        if (status === 404) throw new NotDone()
        return done(true)
      }
      const event = {
        ...{ id, summary: title, start: { dateTime: starts }, end: { dateTime: ends } },
        ...{ location: place ?? '', description: body ?? '', attendees: guests.map((email) => ({ email })) },
      }
      const path = `${EVENTS}?sendUpdates=all`
      const { status } = await request(path, { method: 'POST', body: event, acts: true, allows: [409] })
      return done(status === 409)
    },
  }
}

function toEvent(event: z.infer<typeof Event>): CalendarEvent {
  const { id, summary, start, end, location, description, organizer, attendees } = event
  return {
    ...{
      id,
      title: summary,
      starts: start.dateTime ?? start.date ?? '',
      ends: end?.dateTime ?? end?.date ?? null,
    },
    ...{
      place: location,
      text: description.slice(0, 4000).toWellFormed(),
      organizer: organizer?.email ?? '',
    },
    guests: attendees.map(({ email }) => email),
  }
}
