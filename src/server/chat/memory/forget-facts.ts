import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'
import { type FactScope, lockFact, removeFacts } from './fact-store.ts'
import { removeTraces } from './trace-store.ts'

type Forgotten = FactScope & { sessionIds: string[]; texts: string[] }

/** Deletes facts, or earlier versions of facts, and removes them from summaries and working memories. */
export async function forgetFacts(trx: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  const scopes = new Map<string, Forgotten>()
  for (const id of ids) {
    const fact = await lockFact(trx, id)
    if (!fact) continue
    const { user_id: userId, workspace_id: workspaceId } = fact
    const key = `${userId} ${workspaceId}`
    const scope = scopes.get(key) ?? { userId, workspaceId, sessionIds: [], texts: [] }
    scopes.set(key, scope)
    for (const { text, session_id } of await removeFacts(trx, [id])) {
      scope.texts.push(text)
      if (session_id) scope.sessionIds.push(session_id)
    }
  }
  for (const { texts, ...scope } of scopes.values())
    if (texts.length > 0) await removeTraces(trx, scope, texts)
}
