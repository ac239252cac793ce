import * as z from 'zod/mini'
import { route } from './http.ts'

/** The OpenAPI 3.1 description of every route. */
export const getDescription = route({
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
  summary: 'This description',
  answer: z.record(z.string(), z.unknown()),
})
