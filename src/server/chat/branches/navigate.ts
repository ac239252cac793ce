import { AppError } from '#shared/platform/errors.ts'
import type { Database } from '../../platform/db/db.ts'
import { loadTree } from '../messages/messages.ts'
import { visitLeaf } from './store.ts'

/**
 * Activates the most recently viewed leaf behind a message, records the visit and returns the leaf.
 * @throws AppError `not_found` for an unknown message or one of another session
 */
export async function navigateTo(db: Database, sessionId: string, messageId: string) {
  const tree = await loadTree(db, sessionId)
  const leaf = tree.nodes.get(messageId)?.last
  if (!leaf) throw new AppError('not_found', 'Message not found')
  await visitLeaf(db, sessionId, leaf.id)
  return { tree, leaf }
}
