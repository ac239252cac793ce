import type { Assistant } from '#shared/assistants/assistants.ts'
import type { Platform } from '../platform.ts'
import type { RunInput } from '../runs/runs.ts'
import type { Scope } from '../search/search.ts'
import { hasLinks } from './chat-scope-store.ts'

/** The tool that searches documents: whoever may not use it is answered from none. */
export const documentSearch = { kind: 'tool', id: 'document_search' } as const

/** What a chat's assistant brings along. */
export type Beside = Pick<Assistant, 'documents' | 'workspaces'>

/** What a chat answers from: its documents, its workspaces', and those `beside`; null when it has none. */
export async function scopeOfChat(
  db: Platform['db'],
  sessionId: string,
  library: RunInput['library'],
): Promise<Scope | null> {
  const { beside = [], workspaces = [] } = library ?? {}
  if (beside.length + workspaces.length === 0 && !(await hasLinks(db, sessionId))) return null
  return { session_id: sessionId, beside, beside_workspaces: workspaces }
}

/** What a run keeps of what its chat answers from; nothing when that is nothing, or searching it is closed to the person. */
export async function freezeLibrary(
  { db, grants }: Pick<Platform, 'db' | 'grants'>,
  userId: string,
  sessionId: string,
  { documents, workspaces }: Beside,
): Promise<Pick<RunInput, 'library'>> {
  if ((await grants.closedTo(userId)).has('tool', documentSearch.id)) return {}
  const library = { beside: documents, ...(workspaces.length > 0 && { workspaces }) }
  return (await scopeOfChat(db, sessionId, library)) ? { library } : {}
}
