import { AppError } from '#shared/platform/errors.ts'
import { ModelError, type ModelMessage } from '../../models/models/port.ts'
import { assertOpen } from '../../platform/access/access.ts'
import { type Leaf, type RunContext, readPerson } from '../../runs/runs/runs.ts'
import { nameScope, readWhole, type Scope } from '../search/search.ts'
import { documentSearch, scopeOfLibrary } from './chat-scope.ts'
import { findPassages, NAMED, PASSAGES, type RagDeps } from './find-passages.ts'
import { payInStep } from './pay-in-step.ts'
import { rewriteQuestion } from './questions/rewrite-question.ts'
import { type Looked, sayWay } from './rag-texts.ts'

/** The evidence of a run; plain data, so that it can be recorded. */
export type Gathered = { way: 'whole' | 'search'; question: string; passages: string[]; looked: Looked }

/** Maximum passages, characters and share of the model's window up to which documents are read whole instead of searched. */
const WHOLE = { most: 60, characters: 16_000, share: 0.25 }
const CHARACTERS_PER_TOKEN = 3

/** Gathers the passages for a run's question, and adds one line to its message that says how. */
export function gatherEvidence(
  run: RunContext,
  deps: RagDeps,
  messages: readonly ModelMessage[],
): Promise<Gathered> {
  const { input } = run
  return run.step('evidence', async (leaf) => {
    const began = deps.clock.now().toISOString()
    await assertOpen(deps.grants, input.user_id, documentSearch)
    const person = await readPerson(deps, input)
    const scope = scopeOfLibrary(input.session_id, input.library)
    const room = input.context_tokens * WHOLE.share * CHARACTERS_PER_TOKEN
    const characters = Math.min(WHOLE.characters, Math.floor(room))
    const [whole, looked] = await Promise.all([
      readWhole(deps.db, person, scope, { most: WHOLE.most, characters }),
      nameScope(deps.db, person, scope, NAMED),
    ])
    const gathered: Gathered = whole
      ? { way: 'whole', question: '', passages: whole, looked }
      : await search(run, deps, leaf, scope, messages, person)
    const { documents, reading, failed } = looked
    if (documents + reading.documents + failed.documents > 0)
      sayHow(leaf, input.language, gathered, began, deps.clock.now().toISOString())
    return gathered
  })
}

async function search(
  { input, signal }: RunContext,
  deps: RagDeps,
  leaf: Leaf,
  scope: Scope,
  messages: readonly ModelMessage[],
  person: Awaited<ReturnType<typeof readPerson>>,
): Promise<Gathered> {
  const payer = payInStep(deps, input.user_id, () => leaf, 'documents')
  const { model_name: model, language } = input
  const question = await rewriteQuestion(deps, { messages, model, language }, { signal, payer })
  const wish = { query: question, scope, top: PASSAGES.top, translating: { model, language, payer } }
  // An unavailable embedding model must not prevent an answer.
  const found = await findPassages(deps, person, wish, signal).catch((error) => {
    signal.throwIfAborted()
    if (!(error instanceof ModelError) && !(error instanceof AppError)) throw error
    deps.log.warn({ error }, 'passages were searched by keywords only')
    return findPassages(deps, person, { ...wish, type: 'keyword' }, signal)
  })
  const passages = found.hits.map(({ passage }) => passage.id)
  return { way: 'search', question, passages, looked: found.looked }
}

/** Emits step 0, which is shown before the answer. */
function sayHow(
  leaf: Leaf,
  language: 'en' | 'fr',
  { way, question, looked }: Gathered,
  began: string,
  ended: string,
): void {
  const description = sayWay(language, { way, question, ...looked })
  leaf.emit({ event: 'agent_step_started', number: 0, description, single_step: true, timestamp: began })
  leaf.emit({ event: 'agent_step_completed', number: 0, timestamp: ended })
}
