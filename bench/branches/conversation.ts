import type { Database } from '../../src/server/platform/db/db.ts'
import { longHistory } from '../chat-ui/conversation.ts'

const perInsert = 1000

/** Shape of the conversation: a long trunk, and short branches off it. */
export type Shape = { trunk: number; branches: number; perBranch: number }

/**
 * Stores a conversation of `trunk + branches × perBranch` messages of a user and returns its session id. Branches leave
 * the trunk at even distances, the last one at its last reply; the trunk is the active branch.
 */
export async function storeConversation(
  db: Database,
  userId: string,
  { trunk, branches, perBranch }: Shape,
): Promise<string> {
  const { id: sessionId } = await db
    .insertInto('sessions')
    .values({ user_id: userId, title: 'Ten thousand messages', status: 'COMPLETED' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const history = longHistory(sessionId, trunk + branches * perBranch)
  const parentOf = (at: number): number => {
    if (at < trunk) return at - 1
    const [branch, place] = [Math.floor((at - trunk) / perBranch), (at - trunk) % perBranch]
    return place > 0 ? at - 1 : Math.round(((branch + 1) * (trunk - 2)) / branches)
  }
  const roles = history.map(() => 'user' as 'user' | 'assistant')
  const rows = history.map(({ id, content, blocks, created_at }, at) => {
    const parent = parentOf(at)
    roles[at] = parent >= 0 && roles[parent] === 'user' ? 'assistant' : 'user'
    return {
      ...{ id, session_id: sessionId, parent_id: history[parent]?.id ?? null, role: roles[at] },
      ...{ content, blocks: JSON.stringify(blocks), created_at: new Date(created_at) },
      model_name: roles[at] === 'assistant' ? 'openai/gpt-4o' : null,
    }
  })
  for (let at = 0; at < rows.length; at += perInsert) {
    await db
      .insertInto('messages')
      .values(rows.slice(at, at + perInsert))
      .execute()
  }
  await db
    .updateTable('sessions')
    .set({ active_leaf: history[trunk - 1]?.id ?? null })
    .where('id', '=', sessionId)
    .execute()
  return sessionId
}
