import { sql } from 'kysely'
import type { BranchHit } from '#shared/branches/branches.ts'
import type { Database } from '../db/db.ts'
import { branchNumbers, findActiveLeaf, isBefore, loadTree } from '../messages/messages.ts'
import { escapeLike, markMatch } from '../sessions/sessions.ts'

type Row = {
  id: string
  role: 'user' | 'assistant'
  model_name: string | null
  created_at: Date
  passage: string
}
type Page = { q: string; skip: number; limit: number }

/** A page of the messages of all branches of a session in which words stand, newest first. */
export async function findInBranches(db: Database, sessionId: string, { q, skip, limit }: Page) {
  const pattern = `%${escapeLike(q)}%`
  const { rows } = await sql<Row>`
    select id, role, model_name, created_at,
      substring(content from greatest(1, strpos(lower(content), lower(${q})) - 100) for 400) as passage
    from messages where session_id = ${sessionId} and content ilike ${pattern}
    order by created_at desc, id desc limit ${limit} offset ${skip}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from messages
    where session_id = ${sessionId} and content ilike ${pattern}`.execute(db)
  return { items: await placeHits(db, sessionId, rows, q), total: counted.rows[0]?.total ?? 0 }
}

/** Names the branch with which each of the messages is shown: the one on screen, else the one last on screen. */
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
      ...{ match: markMatch(passage, q) ?? passage, is_active },
      branch_number: numbers.get(is_active ? active : node.last) ?? 0,
    }
  })
}
