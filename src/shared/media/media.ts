import * as z from 'zod/mini'
import { route } from '../http.ts'
import { Id } from '../primitives.ts'

/** A file that a tool made. Addresses are relative to the API base. */
export const MediaReference = z.object({
  type: z.literal('media_reference'),
  id: Id,
  name: z.string(),
  asset_filename: z.string(),
  media_type: z.string(),
  size: z.int(),
  url: z.string(),
  download_url: z.string(),
})
export type MediaReference = z.infer<typeof MediaReference>

export const getMedia = route({
  method: 'GET',
  path: '/media/:mediaId',
  access: 'user',
  may: 'read media',
  summary: 'The bytes of a file that a tool made',
  params: z.object({ mediaId: Id }),
  query: z.object({ download: z.optional(z.enum(['', 'true'])) }),
})
