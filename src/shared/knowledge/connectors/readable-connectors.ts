import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt } from '../../platform/primitives.ts'
import { SourceId } from './sources.ts'

/** A connector that reaches the caller. With mirrored rights the source decides which of its documents they may read. */
export const ReadableConnector = z.object({ id: Id, name: z.string(), source: SourceId })
export type ReadableConnector = z.infer<typeof ReadableConnector>

export const listReadableConnectors = route({
  method: 'GET',
  path: '/readable-connectors',
  access: 'user',
  scope: 'documents.read',
  summary: 'The connectors whose documents the caller may read, by name',
  query: z.object({
    skip: queryInt({ min: 0, max: 100_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: 100, fallback: 50 }),
  }),
  answer: z.object({ items: z.array(ReadableConnector), total: z.int() }),
})
