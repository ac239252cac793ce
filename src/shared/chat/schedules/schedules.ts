import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Notice, queryInt, text } from '../../platform/primitives.ts'
import { Rule, RuleFault } from './rule.ts'
import { NewSchedule, ScheduleChanges, ScheduleKind, ScheduleSettings } from './settings.ts'
import { Slot, SlotReason } from './slots.ts'

/** Runs shown by a preview. */
export const PREVIEW_RUNS = 5

export const ScheduleState = z.enum(['on', 'paused', 'stopped', 'ended'])
export type ScheduleState = z.infer<typeof ScheduleState>

const facts = {
  id: Id,
  name: z.string(),
  kind: ScheduleKind,
  state: ScheduleState,
  stopped_for: z.nullable(SlotReason),
  rule: Rule,
  time_zone: z.string(),
  /** The rule in words, in the language of the caller. */
  sentence: z.string(),
  next_at: z.nullable(z.string()),
  /** Dollars of all runs. */
  cost: z.number(),
  /** Colleague to whom it is offered. */
  offered_to: z.nullable(z.string()),
  updated_at: z.string(),
}

/** A schedule in a list, with the latest slot that began or was left out. */
export const ListedSchedule = z.object({
  ...facts,
  assistant_name: z.nullable(z.string()),
  last: z.nullable(Slot),
})
export type ListedSchedule = z.infer<typeof ListedSchedule>

/** Mail address of a schedule, and who may write to it besides its senders. */
export const ScheduleMail = z.object({
  /** Null while the installation has no mailbox. */
  address: z.nullable(z.string()),
  /** False while the mailbox cannot be read. */
  is_read: z.boolean(),
  /** True when the mail server authenticates senders. Otherwise the address of an allowed sender can be forged. */
  verifies_senders: z.boolean(),
  /** Verified address of the owner, which may always write; null without one. */
  owner_address: z.nullable(z.string()),
})
export type ScheduleMail = z.infer<typeof ScheduleMail>

export const Schedule = z.object({
  ...ScheduleSettings.shape,
  ...facts,
  deputy_name: z.nullable(z.string()),
  /** The chat of the results; null when there is none, or one for each. */
  session_id: z.nullable(Id),
  /** Null for a schedule that does not start on a mail. */
  mail: z.nullable(ScheduleMail),
  version: z.int(),
  next_runs: z.array(z.string()),
})
export type Schedule = z.infer<typeof Schedule>

/** A schedule that a colleague offers to the caller. */
export const OfferedSchedule = z.object({ id: Id, name: z.string(), sentence: z.string(), by: z.string() })
export type OfferedSchedule = z.infer<typeof OfferedSchedule>

const params = z.object({ scheduleId: Id })
const page = {
  page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
  limit: queryInt({ min: 1, max: 100, fallback: 50 }),
}
const mine = { access: 'user', scope: 'assistants' } as const

export const listSchedules = route({
  ...mine,
  method: 'GET',
  path: '/schedules',
  summary: 'The schedules of the caller, the newest first, and those that colleagues offer to the caller',
  query: z.object(page),
  answer: z.object({
    items: z.array(ListedSchedule),
    total: z.int(),
    offered: z.array(OfferedSchedule),
  }),
})

export const getSchedule = route({
  ...mine,
  method: 'GET',
  path: '/schedules/:scheduleId',
  may: 'read schedule',
  summary: 'One schedule with its settings and its next five runs',
  params,
  answer: Schedule,
})

const saveFails = ['conflict', 'forbidden', 'not_found', 'not_available', 'not_granted'] as const

export const createSchedule = route({
  ...mine,
  method: 'POST',
  path: '/schedules',
  fails: [...saveFails],
  summary: 'Create a schedule: a prompt or a reminder that runs at the times of its rule',
  status: 201,
  body: NewSchedule,
  answer: Schedule,
})

export const updateSchedule = route({
  ...mine,
  method: 'PATCH',
  path: '/schedules/:scheduleId',
  fails: [...saveFails],
  may: 'write schedule',
  summary: 'Change a schedule; what is left out stays',
  params,
  body: ScheduleChanges,
  answer: Schedule,
})

export const deleteSchedule = route({
  ...mine,
  method: 'DELETE',
  path: '/schedules/:scheduleId',
  may: 'manage schedule',
  summary: 'Delete a schedule with its log. Its chats stay',
  params,
  answer: Notice,
})

export const previewSchedule = route({
  ...mine,
  method: 'POST',
  path: '/schedule-previews',
  summary: 'A rule in words with its next five runs, or what is wrong with it. Nothing is stored',
  body: z.object({ rule: Rule, time_zone: text(1, 64) }),
  answer: z.object({
    sentence: z.string(),
    next_runs: z.array(z.string()),
    fault: z.nullable(RuleFault),
    /** Shortest allowed time between two runs, in minutes. */
    min_minutes: z.int(),
  }),
})

export const switchSchedule = route({
  ...mine,
  method: 'PUT',
  path: '/schedules/:scheduleId/state',
  fails: ['conflict'],
  may: 'write schedule',
  summary: 'Pause a schedule, or turn it on again',
  params,
  body: z.object({ state: z.enum(['on', 'paused']) }),
  answer: Schedule,
})

export const runSchedule = route({
  ...mine,
  method: 'POST',
  path: '/schedules/:scheduleId/runs',
  afterTerms: true,
  may: 'write schedule',
  summary: 'Run a schedule now. The same `client_id` runs it once',
  status: 202,
  params,
  body: z.object({ client_id: Id }),
  answer: Slot,
})

export const duplicateSchedule = route({
  ...mine,
  method: 'POST',
  path: '/schedules/:scheduleId/duplicate',
  may: 'read schedule',
  summary: 'Create a paused schedule with the settings of another one',
  status: 201,
  params,
  answer: Schedule,
})

export const listSlots = route({
  ...mine,
  method: 'GET',
  path: '/schedules/:scheduleId/slots',
  may: 'read schedule',
  summary:
    'The log of a schedule, the newest first: the next five runs, running ones, and those that ended in the last 365 days',
  params,
  query: z.object(page),
  answer: z.object({ items: z.array(Slot), total: z.int() }),
})

export const skipSlot = route({
  ...mine,
  method: 'POST',
  path: '/schedules/:scheduleId/slots/:slotId/skip',
  fails: ['conflict', 'not_found'],
  may: 'write schedule',
  summary: 'Leave out a planned or waiting run, or stop one that is running or asks',
  params: z.object({ scheduleId: Id, slotId: Id }),
  answer: Slot,
})
