import { AppError } from '#shared/platform/errors.ts'
import type { Database } from '../../platform/db/db.ts'
import { loadTree } from '../messages/messages.ts'
import { visitLeaf } from './store.ts'

/**
 * Makes the leaf behind a message that was last on screen the active one, remembers that it was, and gives it.
 * @throws AppError `not_found` for a message of no or another session
 */
export async function navigateTo(db: Database, sessionId: string, messageId: string) {
  const tree = await loadTree(db, sessionId)
  const leaf = tree.nodes.get(messageId)?.last
  if (!leaf) throw new AppError('not_found', 'Message not found')
  await visitLeaf(db, sessionId, leaf.id)
  return { tree, leaf }
}
