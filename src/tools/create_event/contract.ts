import { CreatedEvent, EventDraft } from '#shared/tools/actions/action-port.ts'
import { tool } from '#shared/tools/tools/tool.ts'

const createEvent = tool({
  id: 'create_event',
  name: 'Create event',
  icon: 'calendar-plus',
  description:
    'Creates an event in the calendar of the person and invites its guests. The person sees it as a draft first and may change it. Give times with their offset, such as 2026-11-30T09:00:00+01:00.',
  input: EventDraft,
  output: CreatedEvent,
  repeatable: false,
  policy: 'ask',
  takes: 'nothing',
  limitSeconds: 120,
  onlyWith: 'calendar',
  draft: 'event',
  sends: ({ guests = [], title, body = '' }) => ({
    ...{ hosts: guests, method: 'INVITE', address: null, headers: { Title: title }, body },
  }),
})

export default createEvent
