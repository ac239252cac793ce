import * as z from 'zod/mini'
import { ASSETS_PATH, route } from '../../platform/http.ts'
import { Id, text } from '../../platform/primitives.ts'

/** A file made by a tool. Its addresses are paths on the origin of the API. */
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

/** A file as any tool may name it; without an address it cannot be downloaded. */
export const NamedFile = z.looseObject({
  type: z.literal('media_reference'),
  asset_filename: z.optional(z.string()),
  name: z.optional(z.string()),
  size: z.optional(z.number()),
  url: z.nullish(z.string()),
  download_url: z.nullish(z.string()),
})
export type NamedFile = z.infer<typeof NamedFile>

/** A file that a tool announces, or only its name while it is being made. */
export const MadeEntry = z.union([NamedFile, z.string()])
export type MadeEntry = z.infer<typeof MadeEntry>

export const getMedia = route({
  method: 'GET',
  path: '/assets/tools/:mediaId/:name',
  access: 'user',
  fails: ['invalid'],
  sends: '*/*',
  alsoStatus: [206],
  visitors: true,
  may: 'read media',
  summary: 'The bytes of a file that a tool made; the name is for people',
  params: z.object({ mediaId: Id, name: text(1, 300) }),
  query: z.object({ download: z.optional(z.enum(['', 'true'])) }),
})

/** Returns the address of a file. */
export const assetAddress = (id: string, name: string) => `${ASSETS_PATH}${id}/${encodeURIComponent(name)}`
