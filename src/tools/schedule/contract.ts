import * as z from 'zod/mini'
import { Rule, WallTime } from '#shared/chat/schedules/rule.ts'
import { Id, label, text, trimmed } from '#shared/platform/primitives.ts'
import { tool } from '#shared/tools/tools/tool.ts'

const schedule = tool({
  id: 'schedule',
  name: 'Schedule',
  icon: 'calendar-clock',
  description:
    'Proposes a schedule when the person asks for something at times: once, every few minutes, hours or days, on weekdays, or on days of the month. Nothing runs until the person confirms the card, so never say that it is scheduled. `text` is what is asked at each run, as a complete request. With `is_reminder` the person is only notified.',
  input: z.object({
    name: label(1, 100),
    text: trimmed(1, 10_000),
    is_reminder: z._default(z.boolean(), false),
    repeats: z.enum(['once', 'minutes', 'hours', 'days', 'weekdays', 'month_days']),
    /** For minutes, hours and days: every how many. */
    count: z._default(z.int().check(z.gte(1), z.lte(1000)), 1),
    /** For weekdays: 1 is Monday, 7 is Sunday. For days of the month: 1 to 31, -1 is the last day. */
    days: z._default(z.array(z.int().check(z.gte(-1), z.lte(31))).check(z.maxLength(31)), []),
    /** For a single run: year-month-day. */
    date: z.optional(text(10, 10)),
    /** Hours and minutes, such as 08:00. */
    time: z._default(WallTime, '08:00'),
  }),
  output: z.object({
    /** Id of the schedule once it is confirmed. */
    proposal_id: Id,
    name: z.string(),
    text: z.string(),
    is_reminder: z.boolean(),
    rule: Rule,
    /** True until the person confirms the card. */
    waits_for_confirmation: z.boolean(),
  }),
  examples: [
    {
      ...{ proposal_id: '00000000-0000-4000-8000-000000000001', name: 'Contract deadlines' },
      ...{ text: 'Which contracts have a notice date within 90 days?', is_reminder: false },
      rule: { kind: 'weekdays', days: [1], time: '08:00' },
      waits_for_confirmation: true,
    },
  ],
  repeatable: true,
  takes: 'nothing',
  limitSeconds: 5,
})

export default schedule
