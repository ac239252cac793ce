import * as z from 'zod/mini'
import { atMost, Id, text } from '../../platform/primitives.ts'
import { Senders } from './senders.ts'

/** Wall clock time as hours and minutes. */
export const WallTime = z.string().check(atMost(5), z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))
const Count = z.int().check(z.gte(1), z.lte(1000))

/** Last day of a month in `month_days`. */
export const LAST_DAY = -1

const times = [
  z.object({ kind: z.literal('once'), date: text(10, 10), time: WallTime }),
  z.object({ kind: z.literal('interval'), count: Count, unit: z.enum(['seconds', 'minutes', 'hours']) }),
  z.object({ kind: z.literal('days'), count: Count, time: WallTime }),
  z.object({
    kind: z.literal('weekdays'),
    /** 1 is Monday, 7 is Sunday. */
    days: z.array(z.int().check(z.gte(1), z.lte(7))).check(z.minLength(1), z.maxLength(7)),
    time: WallTime,
  }),
  z.object({
    kind: z.literal('month_days'),
    /** -1 is the last day of the month. */
    days: z
      .array(
        z.int().check(z.refine((day) => day === LAST_DAY || (day >= 1 && day <= 31), 'is no day of a month')),
      )
      .check(z.minLength(1), z.maxLength(31)),
    time: WallTime,
  }),
] as const

const events = [
  /** A signed call to the address of the schedule. */
  z.object({ kind: z.literal('call') }),
  /** A new or changed document of a project. */
  z.object({ kind: z.literal('document'), workspace_id: Id }),
  /** A new or changed document of a connector, also one that is in no project. */
  z.object({ kind: z.literal('connector_document'), connector_id: Id }),
  /** The end of a run of another schedule of the same owner. */
  z.object({ kind: z.literal('schedule_run'), schedule_id: Id }),
  /** The end of a run in a chat of a project. */
  z.object({ kind: z.literal('project_run'), workspace_id: Id }),
  /** A mail to the address of the schedule, from its owner or one of the senders. */
  z.object({ kind: z.literal('mail'), senders: Senders }),
] as const

/**
 * When a schedule is due, in the time zone of the schedule. Intervals count elapsed time. All other rules follow the
 * wall clock of the zone. A month without one of its days is left out.
 */
export const TimeRule = z.discriminatedUnion('kind', times)
export type TimeRule = z.infer<typeof TimeRule>

/** The event that starts a schedule instead of a time. */
export const EventRule = z.discriminatedUnion('kind', events)
export type EventRule = z.infer<typeof EventRule>

/** A time or an event that starts a schedule. */
export const Rule = z.discriminatedUnion('kind', [...times, ...events])
export type Rule = z.infer<typeof Rule>

const runFields = ['name', 'state', 'result']
/** Names of the fields that each kind of event fills in. A call fills in those that it names. */
export const EVENT_FIELDS: Record<EventRule['kind'], readonly string[]> = {
  ...{ call: [], document: ['document'], connector_document: ['document'] },
  ...{ schedule_run: runFields, project_run: runFields },
  mail: ['from', 'subject', 'text', 'files'],
}

/** Returns whether a schedule starts on an event instead of a time. */
export function isEvent(rule: Rule): rule is EventRule {
  return rule.kind in EVENT_FIELDS
}

/** Why a rule cannot be used. */
export const RuleFault = z.enum(['unknown_zone', 'impossible_date', 'past', 'too_often', 'no_mailbox'])
export type RuleFault = z.infer<typeof RuleFault>

const SECONDS = { seconds: 1, minutes: 60, hours: 3600 } as const
const DAY_SECONDS = 86_400

/** Returns the shortest time between two runs in seconds; null for a single run and for events. */
export function shortestGap(rule: Rule): number | null {
  if (rule.kind === 'once' || isEvent(rule)) return null
  return rule.kind === 'interval' ? rule.count * SECONDS[rule.unit] : DAY_SECONDS
}
