import * as z from 'zod/mini'
import { route } from './http.ts'
import { CodeReadiness } from './tools/code-readiness.ts'

/**
 * Whether the server can serve now, and how many processes execute runs and jobs; 503 while its database is away. With `details`
 * a super admin is told what this process can do besides.
 */
export const getHealth = route({
  method: 'GET',
  path: '/health',
  access: 'public',
  summary: 'Whether the server can serve',
  byWorkers: true,
  query: z.object({ details: z.optional(z.enum(['', 'true'])) }),
  answer: z.object({
    status: z.literal('ok'),
    workers: z.int(),
    details: z.optional(z.object({ code: z.array(CodeReadiness) })),
  }),
})

/** The OpenAPI 3.1 description of every route. */
export const getDescription = route({
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
  summary: 'This description',
  answer: z.record(z.string(), z.unknown()),
})
