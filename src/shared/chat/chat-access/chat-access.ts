import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, prose, queryInt } from '../../platform/primitives.ts'
import { MessageRole } from '../../runs/runs/message.ts'

/** Temporary access of a super admin to a person's chats, with its reason. The person is notified when it begins. */
export const ChatAccess = z.object({
  id: Id,
  person: z.object({ id: Id, name: z.string() }),
  admin_name: z.string(),
  reason: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  is_open: z.boolean(),
  /** Number of chats read. */
  chats_read: z.int(),
})
export type ChatAccess = z.infer<typeof ChatAccess>

export const MAX_ACCESS_HOURS = 72
export const ACCESSES_LIMIT = 50
export const CHAT_PAGE = 50
const page = { page: queryInt({ min: 1, max: 100_000, fallback: 1 }) }
const list = z.object({ items: z.array(ChatAccess), total: z.int(), has_more: z.boolean() })

export const openChats = route({
  method: 'POST',
  path: '/admin/users/:userId/chat-access',
  access: 'super_admin',
  may: 'manage user',
  summary: 'Begin an access to the chats of a person, who is told of it with its reason',
  status: 201,
  fails: ['conflict'],
  params: z.object({ userId: Id }),
  body: z.object({
    reason: prose(10, 500),
    hours: z.int().check(z.minimum(1), z.maximum(MAX_ACCESS_HOURS)),
  }),
  answer: ChatAccess,
})

export const listChatAccesses = route({
  method: 'GET',
  path: '/admin/chat-accesses',
  access: 'super_admin',
  summary: 'The accesses to chats there were, the newest first',
  query: z.object(page),
  answer: list,
})

export const closeChats = route({
  method: 'DELETE',
  path: '/admin/chat-accesses/:accessId',
  access: 'super_admin',
  may: null,
  summary: 'End an access to chats before its time',
  params: z.object({ accessId: Id }),
  status: 204,
})

/** A chat in the list of opened chats, by title; its messages are read separately. */
export const OpenedChat = z.object({ id: Id, title: z.string(), updated_at: z.string() })
export type OpenedChat = z.infer<typeof OpenedChat>

export const listOpenedChats = route({
  method: 'GET',
  path: '/admin/chat-accesses/:accessId/chats',
  access: 'super_admin',
  may: null,
  summary: 'The chats an access opens, for who began it, while it lasts',
  params: z.object({ accessId: Id }),
  query: z.object(page),
  answer: z.object({ items: z.array(OpenedChat), total: z.int(), has_more: z.boolean() }),
})

export const readOpenedChat = route({
  method: 'GET',
  path: '/admin/chat-accesses/:accessId/chats/:chatId',
  access: 'super_admin',
  may: null,
  summary: 'The messages of a chat an access opens; that it was read is written down and shown to the person',
  params: z.object({ accessId: Id, chatId: Id }),
  query: z.object(page),
  answer: z.object({
    title: z.string(),
    messages: z.array(z.object({ id: Id, role: MessageRole, content: z.string(), created_at: z.string() })),
    has_more: z.boolean(),
  }),
})

export const listOwnChatAccesses = route({
  method: 'GET',
  path: '/users/me/chat-accesses',
  access: 'user',
  summary: 'Who had access to the caller’s chats, why and when, the newest first',
  query: z.object(page),
  answer: z.object({ ...list.shape, unseen: z.int() }),
})

export const noteAccessesSeen = route({
  method: 'POST',
  path: '/users/me/chat-accesses/seen',
  access: 'user',
  summary: 'Say that one has read who had access to one’s chats',
  status: 204,
})
