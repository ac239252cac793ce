import * as z from 'zod/mini'

export const DocumentStatus = z.enum(['queued', 'in_progress', 'completed', 'failed'])
export type DocumentStatus = z.infer<typeof DocumentStatus>

/** How far a phase is: pages, sheets, seconds or bytes done of all; `seconds_left` until it is completed, from this installation's own speed. */
export const Progress = z.object({
  done: z.number(),
  total: z.number(),
  seconds_left: z.nullable(z.number()),
})
export type Progress = z.infer<typeof Progress>
