import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { ModelDeps } from '../../../models/model-deps.ts'
import type { ToldMemory } from '../../../models/models/told-memory.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type Leaf, type RunContext, type RunInput, readPerson } from '../../../runs/runs/runs.ts'
import { isOn, loadPolicy, type MemoryPolicy } from '../memory-policy-store.ts'
import { chooseFacts, type ToldFact } from './choose-facts.ts'
import { embedFacts } from './embed-facts.ts'
import { copyUses, insertUses, listTold, listUsedNow, storeVector } from './use-store.ts'

/** Facts without a vector that one question embeds. The others are found by their words until later ones. */
const EMBED_BATCH = 48

/** The key of the record that names the facts. */
const RECORD = 'memory'
const Chosen = z.object({ facts: z.array(z.string()) })

type Kit = Pick<ModelDeps, 'models'> & Pick<Platform, 'db' | 'clock' | 'log' | 'config' | 'audiences'>

const placeOf = ({ session_id, assistant }: RunInput) => ({
  sessionId: session_id,
  assistantId: assistant?.id ?? null,
})

/** Chooses the facts for a run's question once. Its record and the uses are one commit, so that a replay tells the same. */
export async function recallFacts(run: RunContext, kit: Kit, question: string): Promise<void> {
  const { input } = run
  const { memory } = input
  if (!memory || memory.is_off || input.task !== undefined) return
  if (!memory.has_facts && !memory.asks_about_me) return
  await run.step(RECORD, async (leaf) => {
    const person = await readPerson(kit, input)
    const policy = await loadPolicy(kit.db, person, placeOf(input))
    if (!policy || !isOn(policy, input.model_name)) return { facts: [] }
    const told = await listTold(kit.db, person, policy)
    // A request to remember in the message itself is kept separate.
    const facts = told.filter(({ message_id }) => message_id !== input.user_message_id)
    const asksAboutMe = memory.asks_about_me === true
    const chosen = asksAboutMe
      ? chooseFacts(facts, { text: question, vector: null, asksAboutMe })
      : await findRelevant(kit, facts, question, leaf.signal)
    leaf.together((trx) => insertUses(trx, input.message_id, chosen, kit.clock.now()))
    return { facts: chosen.map(({ id }) => id) }
  })
}

/** Names the facts that a model of a comparison was given under its own reply too. */
export async function keepFactsOf(
  trx: Kysely<Tables>,
  records: readonly { kind: string; key: string; value?: unknown }[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  const record = records.find(({ kind, key }) => kind === 'step' && key.endsWith(`.${RECORD}`))
  const { data } = Chosen.safeParse(record?.value)
  if (data) await copyUses(trx, from, to, data.facts)
}

/** Embeds the question and facts without a vector, and returns the facts that matter. */
export async function findRelevant(
  kit: Kit,
  facts: ToldFact[],
  question: string,
  signal: AbortSignal,
): Promise<ToldFact[]> {
  if (facts.length === 0) return []
  const { id: model } = await kit.models.builtInEmbedding().catch(() => ({ id: null }))
  const fresh = facts.filter(({ embedding }) => embedding?.model !== model).slice(0, EMBED_BATCH)
  const vectors = model && (await embedFacts(kit, [question, ...fresh.map(({ text }) => text)], signal))
  const [vector = null, ...others] = vectors || []
  for (const [at, embedding] of others.entries()) {
    const fact = fresh[at]
    if (!fact) continue
    await storeVector(kit.db, fact, embedding)
    fact.embedding = embedding
  }
  return chooseFacts(facts, { text: question, vector, asksAboutMe: false })
}

/**
 * Returns what a model may be told now, by its id. Switches, the membership of the project and deletions count from the next call on.
 */
export async function memoryForCall(
  run: RunContext,
  kit: Kit,
  leaf: Leaf,
): Promise<(model: string) => ToldMemory | null> {
  const { input } = run
  const { memory } = input
  if (!memory || input.task !== undefined) return () => null
  const person = await readPerson(kit, input)
  const policy = await loadPolicy(kit.db, person, placeOf(input))
  const used = policy
    ? await listUsedNow(kit.db, person, policy, { id: run.id, message_id: input.message_id })
    : []
  // A run that continues another one names its facts under its own reply.
  if (used.some(({ is_inherited }) => is_inherited))
    leaf.together((trx) => insertUses(trx, input.message_id, used, kit.clock.now()))
  const asksAboutMe = memory.asks_about_me === true
  const remembered = memory.remembered ?? []
  const isAsked = asksAboutMe || memory.remembered !== undefined
  return (model) => {
    const isOff = memory.is_off === true || !isOnNow(policy, model)
    const facts = isOff ? [] : used.map(({ text, is_of_project }) => ({ text, isOfProject: is_of_project }))
    if (facts.length === 0 && !isAsked) return null
    return { facts, remembered, asksAboutMe, isOff }
  }
}

const isOnNow = (policy: MemoryPolicy | null, model: string) => policy !== null && isOn(policy, model)
