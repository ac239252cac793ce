import { CHAT_LIBRARY_NAMED, type ChatLibrary } from '#shared/knowledge/rag/chat-library.ts'
import { findAllowed, isNotGranted } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import { nameScope } from '../search/search.ts'
import { countReadable, linkedDocuments, linkedWorkspaces } from './chat-scope-store.ts'
import { NAMED } from './find-passages.ts'

/** Returns the documents and workspaces that a chat answers from, as far as the user may read them now. */
export async function readChatLibrary(
  deps: Pick<RunDeps, 'db' | 'assistants'>,
  user: Caller,
  sessionId: string,
): Promise<ChatLibrary> {
  const { db } = deps
  const session = await findAllowed(db, user, 'read session', sessionId)
  const found = await deps.assistants.findOfChat(user, session).catch((error) => {
    if (isNotGranted(error)) return null
    throw error
  })
  const { documents: beside = [], workspaces: beside_workspaces = [] } = found ?? {}
  const [documents, workspaces, own, named] = await Promise.all([
    linkedDocuments(db, user, sessionId, CHAT_LIBRARY_NAMED),
    linkedWorkspaces(db, user, sessionId, CHAT_LIBRARY_NAMED),
    countReadable(db, user, beside, beside_workspaces),
    nameScope(db, user, { session_id: sessionId, beside, beside_workspaces }, NAMED),
  ])
  const { documents: readable, reading, failed } = named
  const assistant = found && own > 0 ? { id: found.id, name: found.name, document_count: own } : null
  return { documents, workspaces, assistant, readable, left_out: { reading, failed } }
}
