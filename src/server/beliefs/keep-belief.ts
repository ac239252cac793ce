import { type Belief, keepsBeliefs } from '#shared/beliefs/beliefs.ts'
import { AppError } from '#shared/errors.ts'
import { askQuietly, findJson } from '../agents/agents.ts'
import { assertBalance, recordAbsorbed, recordUsage, type UsageEntry } from '../billing/billing.ts'
import type { Deps } from '../deps.ts'
import type { Usage } from '../models/port.ts'
import { getRuns, type OnEnd, sendNote } from '../runs/runs.ts'
import { readBelief, writeQuestion } from './ask-for-belief.ts'
import { type EndedTurn, findBelief, insertBelief, loadPreferences, loadTurn } from './store.ts'

export const jobName = 'keep-belief'
const maxAttempts = 5
const unused: Usage = {
  ...{ input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0, estimated: true },
}

/** The key of the job that works a run in. */
export const jobKeyOf = (runId: string) => `belief:${runId}`

/** The replies of a session are worked in one after the other; a few other sessions wait with it. */
const queueOf = (sessionId: string) => `belief:${sessionId.slice(0, 2)}`

/** Has what a reply leaves behind worked into the belief of its session, unless its person does not want that. */
export function requestBelief({ db, jobs }: Deps): OnEnd {
  return async ({ run: { id, sessionId, input }, state, content }) => {
    if (state === 'failed' || content.trim() === '') return null
    if (!keepsBeliefs(await loadPreferences(db, input.user_id))) return null
    await jobs.prepare()
    const options = { key: jobKeyOf(id), queue: queueOf(sessionId), maxAttempts }
    return (within) => jobs.add(jobName, { run_id: id }, { ...options, within })
  }
}

/**
 * Asks the model of a run, once, for the belief after it, and stores it together with what it cost. An answer that
 * is none, or a model that fails, leaves the earlier belief as it is.
 */
export async function keepBelief(deps: Deps, runId: string, signal: AbortSignal): Promise<void> {
  const { db, log } = deps
  const turn = await loadTurn(db, runId)
  if (!turn || turn.is_kept || !keepsBeliefs(turn.preferences)) return
  const before = (await findBelief(db, turn.user_message_id))?.content ?? null
  const answer = await ask(deps, turn, before, signal).catch((error) => {
    signal.throwIfAborted()
    log.warn({ error, run: runId }, 'The belief of a session could not be asked for.')
  })
  if (!answer) return
  const { sources, text, usage } = answer
  const content = readBelief(findJson(text), before, sources)
  const entry = await priceEntry(deps, turn, usage)
  if (!content) {
    log.warn({ run: runId, model: turn.model_name }, 'The model gave no belief that can be used.')
    return recordAbsorbed(db, entry)
  }
  const isNew = await db.transaction().execute(async (trx) => {
    const inserted = await insertBelief(trx, { run_id: runId, message_id: turn.message_id, content })
    if (inserted) await recordUsage(trx, entry)
    return inserted
  })
  if (!isNew) return
  const { session_id, message_id } = turn
  await sendNote(getRuns(deps).engine, session_id, 'belief_updated', { session_id, message_id })
}

/** Null when the balance does not allow it. */
async function ask(deps: Deps, turn: EndedTurn, before: Belief | null, signal: AbortSignal) {
  if (!(await canPay(deps, turn.user_id))) return null
  const { context_tokens } = await deps.models.find(turn.model_name)
  const { call, sources } = writeQuestion(before, turn, context_tokens ?? Number.POSITIVE_INFINITY)
  const language = turn.language === 'fr' ? 'fr' : 'en'
  let usage: Usage = unused
  const text = await askQuietly(deps, { ...call, model: turn.model_name, language, signal }, (used) => {
    usage = used
  })
  return { sources, text, usage }
}

function canPay(deps: Deps, userId: string): Promise<boolean> {
  return assertBalance(deps, userId).then(
    () => true,
    (error) => {
      if (error instanceof AppError) return false
      throw error
    },
  )
}

async function priceEntry(deps: Deps, turn: EndedTurn, usage: Usage): Promise<UsageEntry> {
  const { run_id, session_id, user_id, model_name } = turn
  const price = await deps.models.price(model_name, usage)
  const entry = { run_id, session_id, user_id, model_name, usage, price }
  return { ...entry, step_key: 'belief', attempt: 1, reason: 'belief' }
}
