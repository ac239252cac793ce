import { createSession, type Session } from '#shared/chat/sessions/sessions.ts'
import { defaultTitle } from '#shared/chat/sessions/titles.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { keep, readKept } from '../../platform/lib/kept/kept.ts'
import { addSession, listKey } from './session-cache.ts'
import { removeSessions, type SessionPages } from './session-pages.ts'
import { isUntouched, unmadeChats, unmadeName } from './unmade.ts'

const making = new Map<string, Promise<void>>()

/** Creates a chat with the settings of another one. It is unknown to the server until it is stored under the returned id. */
export function beginChat(like?: Session | null): string {
  const id = newId()
  const set = { session_metadata: like?.session_metadata, model_name: like?.model_name }
  keep(unmadeName(id), JSON.stringify({ id, ...(like ? set : {}) }))
  const at = new Date().toISOString()
  return addSession({
    ...{ id, title: defaultTitle(id), status: 'NEW', created_at: at, updated_at: at, documents: [] },
    ...{ model_name: null, session_metadata: {}, agent_status: null, is_stopped: false },
    ...{ processing_task_id: null, pending_input: null, preview: null },
    ...{ pin_position: null, is_archived: false, is_unread: false, tags: [] },
    ...(like ? set : {}),
  } as Session)
}

/** Returns the chat that was created here and is still empty, otherwise a new one. */
export function beginEmptyChat(): string {
  const isHere = (id: string) => queryClient.getQueryData(['session', id]) !== undefined
  return unmadeChats().find((id) => isUntouched(id) && isHere(id)) ?? beginChat()
}

/** Stores the used chats that were created here; an untouched one leaves the history again. */
export async function makeChats(shownId: string | null): Promise<void> {
  const left = new Set(unmadeChats().filter((id) => id !== shownId && isUntouched(id)))
  if (left.size > 0)
    queryClient.setQueriesData<SessionPages>(
      { queryKey: listKey },
      (data) => data && removeSessions(data, left),
    )
  await Promise.all(unmadeChats().map((id) => (left.has(id) ? undefined : makeChat(id))))
}

/** Stores a chat that was created here. It is stored once, however many tabs request it. @throws ApiError */
export function makeChat(sessionId: string): Promise<void> {
  const begun = making.get(sessionId) ?? make(sessionId).finally(() => making.delete(sessionId))
  making.set(sessionId, begun)
  return begun
}

async function make(sessionId: string): Promise<void> {
  const body = readKept(unmadeName(sessionId))
  if (body === null) return
  addSession(await call(createSession, { body: JSON.parse(body) }))
  keep(unmadeName(sessionId), '')
}

/** `crypto.randomUUID` only exists on https and localhost. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
