import * as z from 'zod'
import type { CalendarEvent } from '#shared/tools/actions/action-port.ts'
import { type CalendarService, NotDone } from '../provider-port.ts'
import type { SignedContext } from '../signed-account.ts'
import { createJson, readAs } from '../signed-json.ts'

const Time = z.object({ dateTime: z.string() })
const Person = z.object({ emailAddress: z.object({ address: z.string().nullish() }) })
const Event = z.object({
  id: z.string(),
  subject: z.string().nullish(),
  start: Time,
  end: Time.nullish(),
  location: z.object({ displayName: z.string().nullish() }).nullish(),
  bodyPreview: z.string().nullish(),
  organizer: Person.nullish(),
  attendees: z.array(Person).default([]),
})
const Listed = z.object({ value: z.array(Event) })

/** Uses a calendar through Microsoft Graph (v1.0). */
export function createOutlookCalendar(context: SignedContext): CalendarService {
  const request = createJson(context, () => `${context.config.MICROSOFT_MAIL_URL}/v1.0/me`)
  return {
    list: async ({ from, to }) => {
      const range = {
        startDateTime: new Date(from).toISOString(),
        endDateTime: new Date(to).toISOString(),
        $top: '200',
      }
      const path = `/calendarView?${new URLSearchParams({ ...range, $orderby: 'start/dateTime' })}`
      const { value } = await readAs(
        await request(path, { headers: { prefer: 'outlook.timezone="UTC"' } }),
        Listed,
      )
      return value.map(toEvent)
    },
    // Graph creates one event per transactionId, so a resumed call creates it again.
    create: async ({ title, starts, ends, place, guests = [], body }, { key, isResumed }) => {
      if (isResumed) throw new NotDone()
      const utc = (at: string) => ({ dateTime: new Date(at).toISOString().replace('Z', ''), timeZone: 'UTC' })
      const event = {
        ...{ subject: title, start: utc(starts), end: utc(ends), transactionId: key },
        ...(place && { location: { displayName: place } }),
        ...(body && { body: { contentType: 'Text', content: body } }),
        attendees: guests.map((address) => ({ emailAddress: { address }, type: 'required' })),
      }
      const answer = await request('/events', { method: 'POST', body: event, acts: true, allows: [409] })
      const done = { title, starts, guests }
      if (answer.status === 409) return { id: key, ...done, already: true }
      const { id } = await readAs(answer, z.object({ id: z.string() }))
      return { id, ...done, already: false }
    },
  }
}

function toEvent({
  id,
  subject,
  start,
  end,
  location,
  bodyPreview,
  organizer,
  attendees,
}: z.infer<typeof Event>): CalendarEvent {
  const utc = (time: z.infer<typeof Time>) => `${time.dateTime.replace(/\.\d+$/, '').replace(/Z$/, '')}Z`
  return {
    ...{ id, title: subject ?? '', starts: utc(start), ends: end ? utc(end) : null, text: bodyPreview ?? '' },
    ...{ place: location?.displayName ?? '', organizer: organizer?.emailAddress.address ?? '' },
    guests: attendees.flatMap(({ emailAddress: { address } }) => (address ? [address] : [])),
  }
}
