import { type Kysely, sql } from 'kysely'
import type { BranchHit } from '#shared/branches/branches.ts'
import type { Database } from '../db/db.ts'
import type { Tables } from '../db/tables.ts'
import { branchNumbers, findActiveLeaf, isBefore, loadTree } from '../messages/messages.ts'
import type { Platform } from '../platform.ts'
import { escapeLike, markMatch, searchFairly } from '../sessions/sessions.ts'

type Row = {
  id: string
  role: 'user' | 'assistant'
  model_name: string | null
  created_at: Date
  passage: string
}
type Page = { q: string; skip: number; limit: number }

/** A page of the messages of all branches of a session in which words stand, newest first. */
export async function findInBranches(
  { db, searchDb }: Pick<Platform, 'db' | 'searchDb'>,
  userId: string,
  sessionId: string,
  page: Page,
) {
  const { rows, total } = await searchFairly(searchDb, userId, (trx) => findHits(trx, sessionId, page))
  return { items: await placeHits(db, sessionId, rows, page.q), total }
}

/** Each text is looked through once, for the page and for the count. */
async function findHits(db: Kysely<Tables>, sessionId: string, { q, skip, limit }: Page) {
  const { rows } = await sql<(Row | { id: null }) & { total: number }>`
    with found as materialized (
      select id, created_at from messages
      where session_id = ${sessionId} and content ilike ${`%${escapeLike(q)}%`}
    )
    select counted.total, page.* from (select count(*)::int as total from found) counted left join (
      select m.id, m.role, m.model_name, m.created_at,
        substring(m.content from greatest(1, strpos(lower(m.content), lower(${q})) - 100) for 400) as passage
      from (select id from found order by created_at desc, id desc limit ${limit} offset ${skip}) as chosen
      join messages m on m.id = chosen.id
    ) page on true
    order by page.created_at desc, page.id desc`.execute(db)
  return { rows: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 }
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
