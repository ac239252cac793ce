import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { LeftOut } from '../documents/named-documents.ts'
import { DocumentStatus } from '../documents/status.ts'

/** So many documents, and so many workspaces, are named. */
export const CHAT_LIBRARY_NAMED = 6

const list = <Item extends z.core.$ZodType>(item: Item) => z.object({ items: z.array(item), total: z.int() })

/** What a chat answers from: documents and workspaces linked to it, and its assistant's files. */
export const ChatLibrary = z.object({
  /** The newest links first. */
  documents: list(z.object({ id: Id, name: z.string(), status: DocumentStatus })),
  workspaces: list(z.object({ id: Id, name: z.string(), document_count: z.int() })),
  /** Null without an assistant that has files this person may read. */
  assistant: z.nullable(z.object({ id: Id, name: z.string(), document_count: z.int() })),
  /** Documents that can be found, of all of these together. */
  readable: z.int(),
  left_out: LeftOut,
})
export type ChatLibrary = z.infer<typeof ChatLibrary>

export const getChatLibrary = route({
  method: 'GET',
  path: '/sessions/:sessionId/library',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  summary: 'What a chat answers from, and what of it cannot be read yet',
  params: z.object({ sessionId: Id }),
  answer: ChatLibrary,
})
