import * as z from 'zod/mini'
import { route } from './http.ts'

/** Whether the server can serve now, and how many processes execute runs and jobs; 503 while its database is away. */
export const getHealth = route({
  method: 'GET',
  path: '/health',
  access: 'public',
  summary: 'Whether the server can serve',
  byWorkers: true,
  answer: z.object({ status: z.literal('ok'), workers: z.int() }),
})

/** The OpenAPI 3.1 description of every route. */
export const getDescription = route({
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
  summary: 'This description',
  answer: z.record(z.string(), z.unknown()),
})
