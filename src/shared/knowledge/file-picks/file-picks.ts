import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text } from '../../platform/primitives.ts'
import { Settings, SourceField, SourceId } from '../connectors/sources.ts'
import { Document } from '../documents/documents.ts'

/** A way to pick files, such as OneDrive. */
export const PickWay = z.object({
  id: text(1, 60),
  source: SourceId,
  fields: z.array(SourceField),
  /** People sign in on a page of the source. */
  signs_in: z.boolean(),
  /** People pick on the page of the source, and allow those files only. */
  picks_there: z.boolean(),
})
export type PickWay = z.infer<typeof PickWay>

export const listPickWays = route({
  method: 'GET',
  path: '/file-picks/ways',
  access: 'user',
  summary: 'Sources whose files can be picked for a chat',
  answer: z.object({ items: z.array(PickWay) }),
})

/** A person who picks files of a source. */
export const FilePick = z.object({
  id: Id,
  way: z.string(),
  /** `waiting`: for the sign-in on the page of the source. */
  state: z.enum(['waiting', 'ready', 'refused', 'failed']),
  /** Ids of files that were picked on the page of the source. */
  picked: z.array(z.string()),
})
export type FilePick = z.infer<typeof FilePick>

export const beginFilePick = route({
  method: 'POST',
  path: '/file-picks',
  access: 'user',
  uses: 'feature uploads',
  fails: ['not_available', 'unavailable', 'not_found', 'conflict'],
  summary: 'Begin to pick files of a source for a chat. Without a sign-in page the settings are tried',
  status: 201,
  body: z.object({ way: text(1, 60), settings: Settings, chat_session_id: Id }),
  answer: z.extend(FilePick, {
    /** The page where the person signs in, which returns to the chat; null when the settings are enough. */
    url: z.nullable(z.string()),
  }),
})

const pick = { pick_id: Id }

export const getFilePick = route({
  method: 'GET',
  path: '/file-picks/state',
  access: 'user',
  fails: ['not_available'],
  summary: 'How far a person is in picking files',
  query: z.object(pick),
  answer: FilePick,
})

/** A folder or file of a source. */
export const SourceEntry = z.object({
  id: z.string(),
  path: z.string(),
  name: z.string(),
  /** Bytes; null when the source does not tell. */
  size: z.nullable(z.number()),
  is_folder: z.boolean(),
})
export type SourceEntry = z.infer<typeof SourceEntry>

export const browseFiles = route({
  method: 'POST',
  path: '/file-picks/browse',
  access: 'user',
  fails: ['not_available', 'unavailable', 'not_found'],
  summary: 'The folders and files directly in a folder of the source',
  body: z.object({ ...pick, path: z._default(text(0, 4_000), '') }),
  answer: z.object({ items: z.array(SourceEntry), has_more: z.boolean() }),
})

export const takeFile = route({
  method: 'POST',
  path: '/file-picks/take',
  access: 'user',
  uses: 'feature uploads',
  fails: [
    ...(['not_available', 'unavailable', 'not_found', 'conflict', 'too_large'] as const),
    ...(['insufficient_balance', 'quota_exceeded'] as const),
  ],
  summary: 'Read a picked file, which becomes a document of the chat. The same file is read once',
  body: z.object({ ...pick, chat_session_id: Id, id: text(1, 4_000), path: z._default(text(0, 4_000), '') }),
  answer: Document,
})

export const endFilePick = route({
  method: 'POST',
  path: '/file-picks/end',
  access: 'user',
  summary: 'Forget the sign-in of a pick',
  status: 204,
  body: z.object(pick),
})
