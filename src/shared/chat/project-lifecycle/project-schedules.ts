import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** Maximum schedules that the page of a project shows. */
export const MAX_PROJECT_SCHEDULES = 20

export const ProjectSchedule = z.object({
  id: Id,
  name: z.string(),
  state: z.enum(['on', 'paused', 'stopped', 'ended']),
  /** Its rule in the caller’s language. */
  sentence: z.string(),
  next_at: z.nullable(z.string()),
})
export type ProjectSchedule = z.infer<typeof ProjectSchedule>

export const listProjectSchedules = route({
  method: 'GET',
  path: '/projects/:workspaceId/schedules',
  access: 'user',
  may: 'read workspace',
  summary:
    'The caller’s schedules in a project: those that use it, and those whose chat is in it. Those turned on come first, then by the next run',
  params: z.object({ workspaceId: Id }),
  answer: z.object({
    items: z.array(ProjectSchedule).check(z.maxLength(MAX_PROJECT_SCHEDULES)),
    /** Schedules of other members, which only they see. */
    others: z.int(),
  }),
})
