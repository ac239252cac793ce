import type { Platform } from '../platform.ts'
import type { Scope } from '../search/search.ts'
import { hasLinks } from './chat-scope-store.ts'

/** What a chat answers from: its documents, its workspaces', and those `beside`; null when it has none. */
export async function scopeOfChat(
  db: Platform['db'],
  sessionId: string,
  beside: readonly string[],
): Promise<Scope | null> {
  if (beside.length === 0 && !(await hasLinks(db, sessionId))) return null
  return { session_id: sessionId, beside }
}

/** What a run keeps of what its chat answers from; nothing when that is nothing. */
export async function freezeLibrary(
  db: Platform['db'],
  sessionId: string,
  beside: readonly string[],
): Promise<{ library?: { beside: string[] } }> {
  return (await scopeOfChat(db, sessionId, beside)) ? { library: { beside: [...beside] } } : {}
}
