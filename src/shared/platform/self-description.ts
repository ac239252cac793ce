import * as z from 'zod/mini'
import { route } from './http.ts'

/** Returns the OpenAPI 3.1 description of all routes. */
export const getDescription = route({
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
  summary: 'This description',
  answer: z.record(z.string(), z.unknown()),
})
