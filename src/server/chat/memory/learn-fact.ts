import type { Kysely } from 'kysely'
import type { Fact } from '#shared/chat/memory/fact.ts'
import { MAX_FACTS } from '#shared/chat/memory/memory.ts'
import type { Tables } from '../../platform/db/tables.ts'
import {
  type ComparedFact,
  type FactScope,
  type FactSource,
  type FactVector,
  insertFact,
  listCompared,
  lockFacts,
  replaceText,
} from './fact-store.ts'
import { compareFacts, cosineOf } from './rules/compare-facts.ts'
import { keyOf } from './rules/fact-words.ts'

export type NewFact = FactScope & {
  text: string
  origin: Fact['origin']
  source: FactSource | null
  vector: FactVector | null
  at: Date
  /** The fact it replaces, as a person or model named it. It is ignored when it is not of the same scope. */
  replaces?: string | null
}

export type Learned = { id: string; outcome: 'added' | 'merged' | 'replaced' }

/** Maximum proposals of a person that wait for an answer. Further ones are dropped. */
const MAX_PROPOSED = 100

/**
 * Stores a checked fact: an equal one is merged, one that it contradicts becomes its history. Returns null when the scope has the
 * maximum of facts.
 */
export async function learnFact(trx: Kysely<Tables>, fact: NewFact): Promise<Learned | null> {
  await lockFacts(trx, fact)
  const known = await listCompared(trx, fact, MAX_FACTS + MAX_PROPOSED)
  const kept = known.filter(({ state }) => state === 'kept')
  const { same, contradicted } = findRelated(kept, fact)
  if (same) return { id: same.id, outcome: 'merged' }
  if (contradicted) {
    await replaceText(trx, contradicted.id, fact)
    return { id: contradicted.id, outcome: 'replaced' }
  }
  if (kept.length >= MAX_FACTS) return null
  const id = await insertFact(trx, { ...fact, state: 'kept', contradicts: null })
  return { id, outcome: 'added' }
}

/** Stores a checked fact as a proposal, unless it is known or proposed already. */
export async function proposeFact(trx: Kysely<Tables>, fact: NewFact): Promise<void> {
  await lockFacts(trx, fact)
  const known = await listCompared(trx, fact, MAX_FACTS + MAX_PROPOSED)
  const { same, contradicted } = findRelated(known, fact)
  const isProposed = known.some((one) => one.state === 'proposed' && keyOf(one.text) === keyOf(fact.text))
  const proposed = known.filter(({ state }) => state === 'proposed').length
  if (same || isProposed || proposed >= MAX_PROPOSED) return
  const contradicts = contradicted?.state === 'kept' ? contradicted.id : null
  await insertFact(trx, { ...fact, state: 'proposed', contradicts })
}

/** Finds the fact that is the same, otherwise the one that the new fact replaces. */
export function findRelated(
  known: readonly ComparedFact[],
  { text, vector, replaces = null }: Pick<NewFact, 'text' | 'vector' | 'replaces'>,
): { same?: ComparedFact; contradicted?: ComparedFact } {
  const related = known.map((one) => {
    const isComparable = vector && one.embedding?.model === vector.model
    const cosine = isComparable ? cosineOf(vector.vector, one.embedding?.vector ?? []) : null
    return { one, relation: compareFacts(text, one.text, cosine) }
  })
  const same = related.find(({ relation }) => relation === 'same')?.one
  if (same) return { same }
  const kept = related.filter(({ one }) => one.state === 'kept')
  const named = kept.find(({ one }) => one.id === replaces)
  const contradicted = (named ?? kept.find(({ relation }) => relation === 'contradicts'))?.one
  return contradicted ? { contradicted } : {}
}
