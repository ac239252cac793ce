import { useSyncExternalStore } from 'react'
import { endTry, tryAssistant } from '#shared/chat/assistant-tries/assistant-tries.ts'
import type { AssistantContent } from '#shared/chat/assistants/versions.ts'
import { call } from '../../platform/lib/api/call.ts'
import { keep, readKept, subscribeKept } from '../../platform/lib/kept/kept.ts'
import type { ChatPlace } from '../small-chat/small-chat.ts'

const nameOf = (assistantId: string | null) => `try:${assistantId ?? 'new'}`

/** The chat in which an assistant is tried, until it is started over. Each message includes the form's content. */
export function useTry(
  assistantId: string | null,
  content: AssistantContent,
): { sessionId: string | null; place: ChatPlace } {
  const name = nameOf(assistantId)
  const read = () => readKept(name)
  const sessionId = useSyncExternalStore(subscribeKept, read)
  return {
    sessionId,
    place: {
      read,
      open: async () => {
        const body = { assistant_id: assistantId, content }
        const { session_id } = await call(tryAssistant, { body })
        keep(name, session_id)
        return session_id
      },
      forget: () => forgetTry(assistantId),
    },
  }
}

/** Ends a try. If it cannot be deleted now, the server deletes it after some days. */
export function forgetTry(assistantId: string | null): void {
  if (!readKept(nameOf(assistantId))) return
  keep(nameOf(assistantId), '')
  void call(endTry, { query: assistantId ? { assistant_id: assistantId } : {} }).catch(() => undefined)
}
