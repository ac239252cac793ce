import * as z from 'zod/mini'

/** Whether programs of a language can be run on this machine, and what is missing where they cannot. */
export const CodeReadiness = z.object({
  language: z.enum(['python', 'javascript']),
  ok: z.boolean(),
  /** Why they cannot be run, for an administrator; null when they can. */
  trouble: z.nullable(z.string()),
  /** What hostile programs tried in the box, and whether it held. */
  checks: z.record(z.string(), z.boolean()),
  /** Libraries that programs find, and those they would find with the packages of docs/OPERATIONS.md. */
  libraries: z.array(z.string()),
  missing: z.array(z.string()),
  /** Milliseconds the smallest program took; null when none ran. */
  start_ms: z.nullable(z.int()),
})
export type CodeReadiness = z.infer<typeof CodeReadiness>
