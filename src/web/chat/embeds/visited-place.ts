import { beginVisitedChat } from '#shared/chat/embeds/embeds.ts'
import { call } from '../../platform/lib/api/call.ts'
import { keepVisit, readVisit } from '../../platform/lib/visit/visit.ts'
import type { ChatPlace } from '../small-chat/small-chat.ts'

/** The chat of a visitor, stored with their visit in the tab. */
export const visitedPlace: ChatPlace = {
  read: () => readVisit()?.sessionId ?? null,
  open: async () => readVisit()?.sessionId ?? (await begin()),
  forget: () => keepSession(null),
}

async function begin(): Promise<string> {
  const { session_id } = await call(beginVisitedChat)
  keepSession(session_id)
  return session_id
}

function keepSession(sessionId: string | null): void {
  const kept = readVisit()
  if (kept) keepVisit({ ...kept, sessionId })
}
