import * as z from 'zod/mini'
import { Id } from '../../platform/primitives.ts'

/** The item of a source that a connector read a document from. */
export const DocumentSource = z.object({
  connector_id: Id,
  connector_name: z.string(),
  path: z.string(),
  /** Address in the source; null when it has none. */
  url: z.nullable(z.string()),
  owner: z.nullable(z.string()),
  labels: z.array(z.string()),
  /** Time of its last change in the source; null when the source does not tell. */
  changed_at: z.nullable(z.string()),
})
export type DocumentSource = z.infer<typeof DocumentSource>
