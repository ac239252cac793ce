import type { Kysely } from 'kysely'
import type { Fact } from '#shared/chat/memory/fact.ts'
import { MAX_FACTS } from '#shared/chat/memory/memory.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findAllowed, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Deps } from '../../tools/deps.ts'
import {
  type FactScope,
  keepProposal,
  listCompared,
  lockFact,
  lockFacts,
  readFact,
  removeFacts,
  replaceText,
  type StoredFact,
} from './fact-store.ts'
import { findRelated } from './learn-fact.ts'

type Decision = { accept: boolean; replace: boolean; workspace_id: string | null }
type Trx = Kysely<Tables>

/**
 * Accepts or rejects a proposal. A second answer finds the fact as the first one left it. @throws AppError `not_found` for one that
 * is gone, `forbidden` for a project the person may not add to, `conflict` when memory is full
 */
export async function decideFact(
  { db, clock }: Deps,
  user: Person,
  id: string,
  { accept, replace, workspace_id }: Decision,
): Promise<{ fact: Fact | null }> {
  if (workspace_id) await findAllowed(db, user, 'write workspace', workspace_id)
  const kept = await db.transaction().execute(async (trx) => {
    const proposal = await lockFact(trx, id)
    if (!proposal || proposal.state === 'replaced') throw new AppError('not_found', 'Fact not found')
    // Answered in another window.
    if (proposal.state === 'kept') return proposal.id
    if (!accept) {
      await removeFacts(trx, [id])
      return null
    }
    const scope = { userId: user.id, workspaceId: workspace_id }
    return keep(trx, proposal, scope, { replace, at: clock.now() })
  })
  return { fact: kept === null ? null : await readFact(db, user, kept) }
}

/** Keeps a proposal in a scope. Returns the id of the fact that holds it then. */
async function keep(
  trx: Trx,
  proposal: StoredFact,
  scope: FactScope,
  { replace, at }: { replace: boolean; at: Date },
): Promise<string> {
  await lockFacts(trx, scope)
  const known = (await listCompared(trx, scope, MAX_FACTS)).filter(({ state }) => state === 'kept')
  const { text, fact_id } = proposal
  const { same, contradicted } = findRelated(known, { text, vector: null, replaces: fact_id })
  const { session_id, message_id } = proposal
  const source = session_id && message_id ? { session_id, message_id } : null
  if (same || (contradicted && replace)) await removeFacts(trx, [proposal.id])
  if (same) return same.id
  if (contradicted && replace) {
    await replaceText(trx, contradicted.id, { ...scope, text, origin: 'proposal', source, vector: null, at })
    return contradicted.id
  }
  if (known.length >= MAX_FACTS)
    throw new AppError(
      'conflict',
      `Memory holds ${MAX_FACTS} facts at most. Delete facts that no longer matter.`,
    )
  await keepProposal(trx, proposal.id, scope, at)
  return proposal.id
}
