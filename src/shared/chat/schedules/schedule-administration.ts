import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Notice, queryInt } from '../../platform/primitives.ts'
import { ScheduleState } from './schedules.ts'
import { ScheduleKind } from './settings.ts'

export const ScheduleLimits = z.object({
  /** Shortest time between two runs, in minutes. */
  min_minutes: z.int().check(z.gte(1), z.lte(1440)),
  /** Schedules of one person that are turned on. */
  max_per_person: z.int().check(z.gte(0), z.lte(10_000)),
})
export type ScheduleLimits = z.infer<typeof ScheduleLimits>

/** A schedule of somebody whom the caller administers. Its text is private. */
export const MemberSchedule = z.object({
  id: Id,
  name: z.string(),
  owner_name: z.string(),
  kind: ScheduleKind,
  state: ScheduleState,
  sentence: z.string(),
  next_at: z.nullable(z.string()),
  /** Dollars of all runs, and of the last 30 days. */
  cost: z.number(),
  cost_30_days: z.number(),
  runs_30_days: z.int(),
})
export type MemberSchedule = z.infer<typeof MemberSchedule>

export const listMemberSchedules = route({
  method: 'GET',
  path: '/admin/schedules',
  access: 'admin',
  summary: 'The schedules of all people whom the caller administers, with their cost and next run',
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: 50 }),
  }),
  answer: z.object({ items: z.array(MemberSchedule), total: z.int(), limits: ScheduleLimits }),
})

export const stopMemberSchedule = route({
  method: 'POST',
  path: '/admin/schedules/:memberScheduleId/stop',
  access: 'admin',
  may: 'manage member-schedule',
  summary: 'Stop a schedule and its runs, and notify its owner',
  params: z.object({ memberScheduleId: Id }),
  answer: Notice,
})

export const setScheduleLimits = route({
  method: 'PUT',
  path: '/admin/schedule-limits',
  access: 'super_admin',
  summary: 'Set the shortest time between two runs and the number of schedules of one person',
  body: ScheduleLimits,
  answer: ScheduleLimits,
})
