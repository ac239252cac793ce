import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { LeftOut } from '../documents/named-documents.ts'
import { DocumentStatus } from '../documents/status.ts'

/** Maximum number of documents, and of workspaces, listed by name. */
export const CHAT_LIBRARY_NAMED = 6

const list = <Item extends z.core.$ZodType>(item: Item) => z.object({ items: z.array(item), total: z.int() })

/** Material for answers in a chat: linked documents and workspaces, and files of its assistant. */
export const ChatLibrary = z.object({
  /** Newest links first. */
  documents: list(z.object({ id: Id, name: z.string(), status: DocumentStatus })),
  workspaces: list(
    z.object({
      id: Id,
      name: z.string(),
      document_count: z.int(),
      /** True for the project of the chat: it stays while the chat is in it. */
      is_project: z.optional(z.boolean()),
    }),
  ),
  /** Null without an assistant with files that this person may read. */
  assistant: z.nullable(z.object({ id: Id, name: z.string(), document_count: z.int() })),
  /** Total number of documents that a search can find. */
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
