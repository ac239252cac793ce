import type { RagAnswer, RagPhase, RagRequest } from '#shared/knowledge/rag/rag.ts'
import type { RagEvent } from '#shared/knowledge/rag/rag-events.ts'
import { AppError } from '#shared/platform/errors.ts'
import { defaultModelFor, findModelFor, listModelsFor } from '../../models/model-choice/model-choice.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { assertLibrary, type Hit, type Passage, passageTitle, scopeOf } from '../search/search.ts'
import { type Answered, answerQuestion } from './answer-question.ts'
import { findPassages, type RagDeps, type Retrieved, secondsOf } from './find-passages.ts'
import { type Purse, payDirectly } from './pay-directly.ts'

/** Answers from the library and returns the result of every stage; `told` receives each stage as it happens. @throws AppError, ModelError */
export async function generateAnswer(
  deps: RagDeps & Purse,
  user: Caller,
  request: RagRequest,
  signal: AbortSignal,
  told: (event: RagEvent) => void = () => undefined,
): Promise<RagAnswer> {
  const began = performance.now()
  const question = request.query
  if (question === '') throw new AppError('invalid', 'Please enter a query')
  if (request.collection_name === '') throw new AppError('invalid', 'Please select a collection')
  await assertReachable(deps, user, request)
  const model = await chooseModel(deps, user, request)
  const start = (phase: RagPhase) => told({ event: 'rag_phase_started', phase })
  start('RETRIEVAL')
  const { language } = user
  const retrieved = await payDirectly(deps, { person: user, signal }, (payer) =>
    findPassages(
      deps,
      user,
      {
        translating: { model, language, payer },
        ...{ query: question, scope: scopeOf(request), limit: request.limit },
        ...{ type: request.hybrid_search ? 'hybrid' : 'vector', alpha: request.hybrid_alpha },
        ...{ reranker: request.reranker_name || null, top: request.top_n },
      },
      signal,
      () => start('RERANKING'),
    ),
  )
  const generating = performance.now()
  const stages = showStages(request, retrieved)
  told({ event: 'rag_passages_found', ...stages })
  start('GENERATION')
  const passages = retrieved.hits.map(({ passage }) => passage.id)
  const asked = { question, passages, looked: retrieved.looked, language, model }
  const { temperature, use_json_output: asJson } = request
  const onText = (text: string) => told({ event: 'rag_text_written', text })
  const answered = await payDirectly(deps, { person: user, signal }, (payer) =>
    answerQuestion(deps, user, { ...asked, temperature, asJson }, { signal, payer, onText }),
  )
  const { reading, failed } = retrieved.looked
  return {
    ...showAnswer(answered, retrieved.hits),
    ...stages,
    generation_results: { model: answered.model, ...tokensOf(answered), timing: timingSince(generating) },
    total_tokens: tokensOf(answered).total_tokens,
    metadata: { model: answered.model, timing: timingSince(began) },
    left_out: { reading, failed },
  }
}

/** Checks that the chat, workspaces and collection of a request exist and are readable. */
async function assertReachable(deps: RagDeps, user: Caller, request: RagRequest): Promise<void> {
  const { chat_session_id, workspace_ids = [], collection_name } = request
  if (chat_session_id) await findAllowed(deps.db, user, 'read session', chat_session_id)
  for (const id of workspace_ids) await findAllowed(deps.db, user, 'read workspace', id)
  await assertLibrary(deps, collection_name)
}

/** Returns the id of the requested model. @throws AppError `not_available`, `not_granted` */
async function chooseModel(
  deps: RagDeps,
  { id: userId }: Caller,
  { provider, model }: RagRequest,
): Promise<string> {
  if (model) {
    const id = provider && !model.startsWith(`${provider}/`) ? `${provider}/${model}` : model
    return (await findModelFor(deps, userId, id)).id
  }
  if (!provider) return (await defaultModelFor(deps, userId)).id
  const first = (await listModelsFor(deps, userId)).find((one) => one.provider === provider)
  if (first) return first.id
  throw new AppError('not_available', `The provider ${provider} offers no model.`)
}

function tokensOf({ usage }: Answered) {
  const { input_tokens, output_tokens } = usage ?? { input_tokens: 0, output_tokens: 0 }
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens }
}

const timingSince = (began: number) => ({ total_seconds: secondsOf(performance.now() - began) })

function showAnswer({ text, isAnswered, given, cited, doubts, prompt }: Answered, hits: readonly Hit[]) {
  const byId = new Map(given.map(({ passage }) => [passage.id, passage]))
  const shown = cited.flatMap((id) => byId.get(id) ?? [])
  const quote = ({ document_id, text }: Passage) => ({ document_id, text })
  return {
    ...{ answer: text, is_answered: isAnswered, doubts, prompt },
    citations: Object.fromEntries(shown.map((passage) => [passage.id, quote(passage)])),
    processed_citations: shown.map((passage, at) => ({
      ...{ number: at + 1, chunk_id: passage.id, ...quote(passage) },
    })),
    // A passage withdrawn since the search is not listed.
    sources: hits
      .filter(({ passage }) => byId.has(passage.id))
      .map((hit, at) => showSource(hit, at + 1, cited.includes(hit.passage.id))),
  }
}

function showSource({ passage, score, rerank_score }: Hit, rank: number, used_in_response: boolean) {
  const { id: chunk_id, document_id, document_name, heading_path, page_number, stands, text } = passage
  return {
    ...{ chunk_id, document_id, document_name, heading_path, page_number, place: stands, text },
    title: passageTitle(document_name, heading_path),
    ...{ score, rerank_score, rank, used_in_response },
  }
}

function showStages({ hybrid_search }: RagRequest, { total, documents, reranking, seconds }: Retrieved) {
  return {
    search_results: {
      ...{ search_type: hybrid_search ? ('hybrid' as const) : ('vector' as const) },
      ...{ total, documents, seconds: seconds.search },
    },
    reranking_results: {
      ...{ reranker: reranking.reranker, status: reranking.status, detail: reranking.detail },
      ...{ skipped_because: reranking.skipped_because },
      ...{ instead_of: reranking.instead_of, total: reranking.reranked },
      seconds: seconds.rerank,
    },
  }
}
