import type { Kysely } from 'kysely'
import { type Belief, beliefParts, keepsBeliefs } from '#shared/chat/beliefs/beliefs.ts'
import { withOrigin } from '../../models/masking/masking.ts'
import { askQuietly } from '../../models/models/asking/ask-quietly.ts'
import { findJson } from '../../models/models/asking/find-json.ts'
import type { Usage } from '../../models/models/port.ts'
import {
  type CallPurse,
  createCallPurse,
  isUnpaid,
  recordUnlessGone,
  type UsageEntry,
} from '../../money/billing/billing.ts'
import { isNotGranted } from '../../platform/access/access.ts'
import { sending } from '../../platform/access/classes/classes.ts'
import { isUnreachable } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type OnEnd, readPerson } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { type ProposalRequest, type ProposedFrom, planProposals, readProposals } from '../memory/memory.ts'
import { giveTitle, nameChat, namesChats } from '../titles/titles.ts'
import { readBelief, readTitleBeside, writeQuestion } from './ask-for-belief.ts'
import { type EndedTurn, findBelief, insertBelief, loadPreferences, loadTurn } from './store.ts'

export const jobName = 'keep-belief'
const maxAttempts = 5
const unused: Usage = {
  ...{ input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0, estimated: true },
}

/** Returns the key of the job that processes a run. */
export const jobKeyOf = (runId: string) => `belief:${runId}`

/** Returns the queue that serialises the replies of a session; a few other sessions share it. */
const queueOf = (sessionId: string) => `belief:${sessionId.slice(0, 2)}`

/** Schedules the belief update after a reply, unless its user disabled beliefs. */
export function requestBelief({ db, jobs }: Deps): OnEnd {
  return async ({ run: { id, sessionId, input }, state, content }) => {
    if (state === 'failed' || input.is_program || input.visitor || input.is_try || content.trim() === '')
      return null
    if (!keepsBeliefs(await loadPreferences(db, input.user_id))) return null
    await jobs.prepare()
    const options = { key: jobKeyOf(id), queue: queueOf(sessionId), maxAttempts }
    return (within) => jobs.add(jobName, { run_id: id }, { ...options, within })
  }
}

/**
 * Asks the run's model once for the updated belief, after the first reply with the title of the chat, and stores them with the cost. An
 * invalid answer or a failing model leaves the earlier belief in place.
 */
export async function keepBelief(deps: Deps, runId: string, signal: AbortSignal): Promise<void> {
  const { db } = deps
  const { reservations } = deps.engine
  const turn = await loadTurn(db, runId)
  if (!turn || turn.is_kept) return
  const titles = turn.is_unnamed && namesChats(deps, turn.model_name)
  if (!keepsBeliefs(turn.preferences)) return titles ? nameChat(deps, runId, signal) : undefined
  const before = (await findBelief(db, turn.user_message_id))?.content ?? null
  const from = { ...turn, person: await readPerson(deps, turn) }
  const proposals = await planProposals(db, from)
  const question = await prepare(deps, turn, before, { titles, proposals }).catch(reportTo(deps, runId))
  if (!question) return
  const { user_id, model_name } = turn
  const purse = createCallPurse({ ...deps, reservations }, { user_id, run_id: runId, signal })
  let outcome: Outcome
  try {
    await purse.reserve(model_name, { ...question.call, tools: [] })
    outcome = await askAndStore(deps, turn, {
      ...question,
      ...{ before, titles, proposals, from, purse, signal },
    })
  } catch (error) {
    // A belief is optional: without funds the earlier one stays.
    if (!isUnpaid(error) && !isNotGranted(error)) throw error
  } finally {
    await purse.close()
  }
  if (outcome === 'without title') await nameChat(deps, runId, signal)
}

function reportTo({ log }: Deps, run: string) {
  return (error: unknown): undefined => {
    // A database error, not a model error, so the job is retried.
    if (isUnreachable(error)) throw error
    log.warn({ error, run }, 'The belief of a session could not be asked for.')
  }
}

type Prepared = ReturnType<typeof writeQuestion>

async function prepare(
  deps: Deps,
  turn: EndedTurn,
  before: Belief | null,
  wishes: Pick<Asking, 'titles' | 'proposals'>,
): Promise<Prepared> {
  const { context_tokens } = await deps.models.find(turn.model_name)
  return writeQuestion(before, turn, {
    contextTokens: context_tokens ?? Number.POSITIVE_INFINITY,
    ...wishes,
  })
}

type Asking = Prepared & {
  before: Belief | null
  titles: boolean
  /** Null when no facts may be proposed. */
  proposals: ProposalRequest | null
  from: ProposedFrom
  purse: CallPurse
  signal: AbortSignal
}

/** `without title`: the chat has to be named by a call of its own. Undefined: the model failed. */
type Outcome = 'without title' | 'complete' | undefined

async function askAndStore(
  deps: Deps,
  turn: EndedTurn,
  { before, sources, titles, proposals, from, ...asking }: Asking,
): Promise<Outcome> {
  const { db, log, engine } = deps
  const { run_id, session_id, message_id, model_name } = turn
  const answer = await ask(deps, turn, asking).catch((error) => {
    asking.signal.throwIfAborted()
    reportTo(deps, run_id)(error)
  })
  if (!answer) return
  const said = findJson(answer.text)
  const content = readBelief(said, before, sources)
  const title = titles ? readTitleBeside(said) : ''
  const entry = await priceEntry(deps, turn, answer)
  const propose =
    proposals && content
      ? await readProposals(deps, { ...from, model_name: answer.model }, proposals, said)
      : null
  if (!content) log.warn({ run: run_id, model: model_name }, 'The model gave no belief that can be used.')
  const keep = async (trx: Kysely<Tables>) => {
    // Another process has stored the belief and booked its call.
    const kept = content && (await withoutDeleted(trx, turn, before, content))
    if (kept && !(await insertBelief(trx, { run_id, message_id, content: kept }))) return null
    await propose?.(trx)
    const isNamed = title !== '' && (await giveTitle(trx, session_id, title))
    return content !== null || isNamed
  }
  const isNew = await db.transaction().execute((trx) => recordUnlessGone(trx, entry, () => keep(trx)))
  if (isNew && content)
    await engine.events.notes.send(session_id, 'belief_updated', { session_id, message_id })
  return titles && title === '' ? 'without title' : 'complete'
}

/** Leaves out entries of the previous belief that were deleted while the model wrote, because a fact was deleted. */
async function withoutDeleted(
  trx: Kysely<Tables>,
  { user_message_id }: EndedTurn,
  before: Belief | null,
  content: Belief,
): Promise<Belief> {
  if (before === null) return content
  const now = (await findBelief(trx, user_message_id))?.content
  const textsOf = (belief: Belief | undefined) =>
    beliefParts.flatMap((part) => belief?.[part].map(({ text }) => text) ?? [])
  const left = new Set(textsOf(now))
  const deleted = new Set(textsOf(before).filter((text) => !left.has(text)))
  if (deleted.size === 0) return content
  const parts = beliefParts.map((part) => [part, content[part].filter(({ text }) => !deleted.has(text))])
  return { ...content, ...Object.fromEntries(parts) }
}

async function ask(
  deps: Deps,
  turn: EndedTurn,
  { call, purse, signal }: Pick<Asking, 'call' | 'purse' | 'signal'>,
) {
  const language = turn.language === 'fr' ? 'fr' : 'en'
  let used = { usage: unused, model: turn.model_name }
  const caller = { person: turn.user_id, is_background: true }
  const question = { ...call, model: turn.model_name, language, caller, signal } as const
  const bill = (usage: Usage, model: string) => {
    used = { usage, model }
  }
  const origin = { user_id: turn.user_id, session_id: turn.session_id, message_id: null }
  const text = await sending({ runId: turn.run_id }, () =>
    withOrigin(origin, () => askQuietly(deps, question, bill, purse)),
  )
  return { text, ...used }
}

type Used = { usage: Usage; model: string }

async function priceEntry(
  deps: Deps,
  turn: EndedTurn,
  { usage, model: model_name }: Used,
): Promise<UsageEntry> {
  const { run_id, session_id, user_id } = turn
  const price = await deps.models.price(model_name, usage)
  const entry = { run_id, session_id, user_id, model_name, usage, price }
  return { ...entry, step_key: 'belief', attempt: 1, reason: 'belief' }
}
