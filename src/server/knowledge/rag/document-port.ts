import { sourceFilterOf } from '#shared/knowledge/connectors/source-filter.ts'
import type { DocumentPort, DocumentQuestion } from '#shared/knowledge/rag/document-port.ts'
import type { FoundPassage } from '#shared/platform/citations/passages.ts'
import { defaultModelFor, findModelFor } from '../../models/model-choice/model-choice.ts'
import { findAllowed, type Person } from '../../platform/access/access.ts'
import { noteDocuments } from '../../platform/access/classes/classes.ts'
import { type RunContext, readPerson } from '../../runs/runs/runs.ts'
import type { Hit, Scope } from '../search/search.ts'
import { answerQuestion } from './answer-question.ts'
import { assertInScope, isAskedByPerson, scopeOfRun } from './chat-scope.ts'
import { modelOfChat } from './chat-scope-store.ts'
import { findPassages, PASSAGES, type RagDeps } from './find-passages.ts'
import { type PayingStep, payInStep } from './pay-in-step.ts'

/** Maximum passages that a card shows, including those in the prompt. */
const SHOWN = 10

type Run = Pick<RunContext, 'input' | 'signal'>

/** Creates the document port of a run's tools; `paying` returns the step that pays for a call. */
export function createDocumentPort(
  deps: RagDeps,
  run: Run,
  signal: AbortSignal,
  paying: () => PayingStep | null,
): DocumentPort {
  const { input } = run
  return {
    find: async (question, told) => {
      const person = await readPerson(deps, input)
      const scope = (await scopeOfQuestion(deps, person, run, question)) ?? {}
      told('RETRIEVAL')
      const payer = payInStep(deps, input.user_id, paying, 'documents')
      const model = input.model_name || (await modelOf(deps, input))
      const translating = { model, language: input.language, payer }
      const wish = { query: question.query, scope, top: SHOWN, translating }
      const { hits, looked, total } = await findPassages(deps, person, wish, signal, () => told('RERANKING'))
      // The result names documents and their headings.
      await noteDocuments(
        deps.db,
        hits.map(({ passage }) => passage.document_id),
      )
      return {
        ...{ question: question.query, passages: hits.map(showFound), names: [...looked.names] },
        searched: { documents: looked.documents, passages: total },
        left_out: { reading: looked.reading, failed: looked.failed },
      }
    },
    answer: async (found, onText) => {
      const { question, searched, names, left_out } = found
      const person = await readPerson(deps, input)
      const model = input.model_name || (await modelOf(deps, input))
      const passages = found.passages.flatMap(({ chunk_id, rank }) => (rank === null ? [] : [chunk_id]))
      const looked = { documents: searched.documents, names, ...left_out }
      const asked = { question, passages, looked, language: input.language, model }
      const payer = payInStep(deps, input.user_id, paying, 'documents')
      const answered = await answerQuestion(deps, person, asked, { signal, payer, onText })
      const { text: response, isAnswered: is_answered, doubts, given, cited } = answered
      const still = new Set(given.map(({ passage }) => passage.id))
      return {
        ...{ question, response, is_answered, doubts, searched, ...(left_out && { left_out }) },
        sources: found.passages
          .filter(({ chunk_id, rank }) => rank === null || still.has(chunk_id))
          .map((passage) => ({ ...passage, used_in_response: cited.includes(passage.chunk_id) })),
      }
    },
  }
}

/**
 * Returns the scope of a question: the named documents and workspaces within the chat's scope, otherwise that scope, narrowed to what the
 * source filter allows; null for the whole library.
 * @throws AppError when a named one does not exist or may not be read
 */
export async function scopeOfQuestion(
  deps: Pick<RagDeps, 'db'>,
  person: Person,
  { input }: Pick<Run, 'input'>,
  { document_ids, workspace_ids, ...given }: Omit<DocumentQuestion, 'query'>,
): Promise<Scope | null> {
  const { db } = deps
  for (const id of document_ids ?? []) await findAllowed(db, person, 'read document', id)
  for (const id of workspace_ids ?? []) await findAllowed(db, person, 'read workspace', id)
  await assertInScope(deps, person, input, document_ids ?? [])
  const named = {
    ...(document_ids?.length ? { document_ids } : {}),
    ...(workspace_ids?.length ? { workspace_ids } : {}),
  }
  const source = sourceFilterOf(given)
  const isNamed = Object.keys(named).length > 0
  const isOfSource = Object.keys(source).length > 0
  const narrowed = { ...named, ...(isOfSource && { source }) }
  if (isNamed && isAskedByPerson(input)) return narrowed
  const scope = await scopeOfRun(deps, input)
  // Named documents narrow the scope of the chat and never widen it.
  return isNamed || isOfSource ? { ...scope, ...narrowed } : scope
}

/** Returns the model of the chat in which a standalone tool was started, otherwise the user's default model. */
export async function modelOf(
  deps: Pick<RagDeps, 'db' | 'models' | 'grants'>,
  { standalone, user_id }: Run['input'],
): Promise<string> {
  const named = standalone?.session_id ? await modelOfChat(deps.db, standalone.session_id) : null
  return (await (named ? findModelFor(deps, user_id, named) : defaultModelFor(deps, user_id))).id
}

function showFound({ passage }: Hit, at: number): FoundPassage {
  const { id, document_id, document_name, heading_path, page_number, stands } = passage
  return {
    ...{ chunk_id: id, document_id, document_name, heading_path, page_number, place: stands },
    ...{ rank: at < PASSAGES.top ? at + 1 : null, used_in_response: false },
  }
}
