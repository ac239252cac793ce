import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import { sayTrouble } from '#shared/models/connections/provider-trouble.ts'
import { type GivePart, type ModelCall, ModelError, type StreamModel, type Usage } from '../port.ts'
import { factValue, has, type Learned, type ModelFacts, withFact } from './learned.ts'
import { prepareCall } from './prepare-call.ts'
import { createAnswerReader, type Outcome } from './read-answer.ts'
import { recognize } from './recognize.ts'

/** Maximum changes of one call, each with a retry. */
const MAX_CHANGES = 8
/** True when a model that marks only the end of its thoughts thinks in every answer. Otherwise each answer is shown as it arrives. */
const ALWAYS = 1
const SOMETIMES = 0
/** Returns whether a fact applies to this call only. */
const isPassing = ({ name, about }: Adaptation): boolean =>
  name === 'asked_again' || name === 'shortened' || about === 'now'

/**
 * Creates a model that adapts to refusals: learns from a refusal or an answer, changes the call and retries while no output was
 * emitted. An `adapted` part tells how the answered call differs from the given one.
 */
export function adaptToRefusals(stream: StreamModel, learned: Learned, facts: ModelFacts): StreamModel {
  return async (call, signal, give) => {
    const state: State = { known: [...(await learned.known())], fresh: [], usage: null, isTold: false }
    for (let change = 0; ; change++) {
      const outcome = await tryOnce({ stream, learned, facts, signal }, call, state, give)
      if (outcome === 'done') return
      const { next, failure } = outcome
      if (!next || change >= MAX_CHANGES) throw failure
      state.known = withFact(state.known, next)
      state.fresh = [...state.fresh, { fact: next, said: failure.said }]
    }
  }
}

type State = {
  known: Adaptation[]
  /** Learned by this call, stored once an answer proves it. */
  fresh: { fact: Adaptation; said: string }[]
  /** Usage of all attempts. */
  usage: Usage | null
  isTold: boolean
}
type Ways = { stream: StreamModel; learned: Learned; facts: ModelFacts; signal: AbortSignal }
type Refused = { next: Adaptation | null; failure: ModelError }

async function tryOnce(ways: Ways, call: ModelCall, state: State, give: GivePart): Promise<'done' | Refused> {
  const { stream, learned, facts, signal } = ways
  const prepared = await prepareCall(call, state.known, facts)
  const tell: GivePart = (part) => {
    if (!state.isTold && (part.type === 'text' || part.type === 'tool-call')) {
      state.isTold = true
      if (prepared.made.length > 0) give({ type: 'adapted', adaptations: prepared.made })
    }
    give(part)
  }
  const startsInThought = factValue(state.known, 'thoughts_first') === ALWAYS
  const reader = createAnswerReader(call, prepared.fitted, { startsInThought }, tell)
  try {
    await stream(prepared.call, signal, reader.take)
  } catch (error) {
    if (!(error instanceof ModelError) || signal.aborted || reader.hasBegun()) throw error
    const next = await recognize(error, prepared.call, state.known, () => facts.count(prepared.call))
    return { next, failure: error }
  }
  const outcome = reader.end()
  state.usage = addUsage(state.usage, reader.usage())
  if (outcome !== 'answered' && !['length', 'content-filter'].includes(reader.finish() ?? '')) {
    const failure = noAnswer(outcome)
    const next = askAgain(outcome, state.known)
    if (next) return { next, failure }
    if (!reader.answerWithThoughts() && outcome === 'not_offered') throw failure
  }
  if (reader.startedInThought() && !has(state.known, 'thoughts_first'))
    state.fresh.push({ fact: { name: 'thoughts_first', value: ALWAYS }, said: '</think>' })
  // A cut answer may have been all thought.
  if (reader.answeredPlainly() && reader.finish() !== 'length')
    state.fresh.push({ fact: { name: 'thoughts_first', value: SOMETIMES }, said: '</think>' })
  for (const { fact, said } of state.fresh) if (!isPassing(fact)) await learned.learn(fact, said)
  if (state.usage) give({ type: 'usage', ...state.usage })
  give({ type: 'finish', reason: reader.finish() ?? 'other' })
  return 'done'
}

/** Retries once after an empty answer or a call of a tool that may not be called. */
function askAgain(outcome: Outcome, known: readonly Adaptation[]): Adaptation | null {
  const about = outcome === 'empty' ? 'empty' : 'no_tools_now'
  return known.some((fact) => fact.name === 'asked_again' && fact.about === about)
    ? null
    : { name: 'asked_again', about }
}

const noAnswer = (outcome: Outcome) =>
  new ModelError(
    'invalid_answer',
    sayTrouble(
      'invalid_answer',
      outcome === 'empty' ? 'it was empty' : 'it asked for a tool that is not available now',
    ),
  )

function addUsage(before: Usage | null, usage: Usage | null): Usage | null {
  if (!before || !usage) return usage ?? before
  return {
    input_tokens: before.input_tokens + usage.input_tokens,
    output_tokens: before.output_tokens + usage.output_tokens,
    cached_tokens: before.cached_tokens + usage.cached_tokens,
    cache_write_tokens: (before.cache_write_tokens ?? 0) + (usage.cache_write_tokens ?? 0),
    // A sum of known and unknown counts would be too low.
    cost: before.cost === undefined || usage.cost === undefined ? undefined : before.cost + usage.cost,
    reasoning_tokens: before.reasoning_tokens + usage.reasoning_tokens,
    estimated: before.estimated || usage.estimated,
  }
}
