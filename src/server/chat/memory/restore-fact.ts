import type { Kysely } from 'kysely'
import { MAX_FACTS } from '#shared/chat/memory/memory.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { countCompared, insertRestored, lockFacts, type RestoredFact } from './fact-store.ts'
import { requireFact } from './rules/check-fact.ts'
import { keyOf } from './rules/fact-words.ts'

/**
 * Stores a fact of an archive as it was, in its state and with its times. Returns false when its person or project has an equal fact.
 * @throws AppError `invalid` for a text that cannot be a fact, `conflict` at the maximum
 */
export async function restoreFact(trx: Kysely<Tables>, fact: RestoredFact): Promise<boolean> {
  const text = requireFact(fact.text)
  const scope = { userId: fact.userId, workspaceId: fact.workspaceId }
  await lockFacts(trx, scope)
  if (fact.state !== 'replaced') {
    const { count, isKnown } = await countCompared(trx, scope, keyOf(text))
    if (isKnown) return false
    if (count >= MAX_FACTS) throw new AppError('conflict', 'You have the maximum of facts.')
  }
  await insertRestored(trx, { ...fact, text })
  return true
}
