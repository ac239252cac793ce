import * as z from 'zod/mini'

/** Availability of a programming language on this machine, and what is missing. */
export const CodeReadiness = z.object({
  language: z.enum(['python', 'javascript']),
  ok: z.boolean(),
  /** Reason programs cannot run, for an administrator; null when they can. */
  trouble: z.nullable(z.string()),
  /** Sandbox checks with hostile programs, and whether each was contained. */
  checks: z.record(z.string(), z.boolean()),
  /** Available libraries, and those that the packages in docs/OPERATIONS.md would add. */
  libraries: z.array(z.string()),
  missing: z.array(z.string()),
  /** Milliseconds to run a minimal program; null when none ran. */
  start_ms: z.nullable(z.int()),
})
export type CodeReadiness = z.infer<typeof CodeReadiness>
