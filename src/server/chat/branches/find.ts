import type { BranchHit } from '#shared/chat/branches/branches.ts'
import { plainOf } from '#shared/chat/sessions/preview.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { branchNumbers, findActiveLeaf, isBefore, loadTree } from '../messages/messages.ts'
import { markMatch, searchFairly } from '../sessions/sessions.ts'
import type { Page, Row } from './store.ts'
import { findHits } from './store.ts'

/** Returns a page of the messages that contain the words, across all branches of a session, newest first. */
export async function findInBranches(
  { db, searchDb }: Pick<Platform, 'db' | 'searchDb'>,
  userId: string,
  sessionId: string,
  page: Page,
) {
  const { rows, total } = await searchFairly(searchDb, userId, (trx) => findHits(trx, sessionId, page))
  return { items: await placeHits(db, sessionId, rows, page.q), total }
}

/** Adds the branch to show each message with: the active one, else the most recently viewed. */
async function placeHits(db: Database, sessionId: string, rows: Row[], q: string): Promise<BranchHit[]> {
  const activeId = await findActiveLeaf(db, sessionId)
  const tree = await loadTree(db, sessionId)
  const active = tree.nodes.get(activeId ?? '')
  const numbers = branchNumbers(tree)
  return rows.flatMap(({ id, role, model_name, created_at, passage }) => {
    const node = tree.nodes.get(id)
    if (!node) return []
    const is_active = active !== undefined && isBefore(node, active)
    return {
      ...{ message_id: id, role, model_name, created_at: created_at.toISOString() },
      ...{ match: markMatch(passage, q) ?? plainOf(passage), is_active },
      branch_number: numbers.get(is_active ? active : node.last) ?? 0,
    }
  })
}
