import type { Embeddings } from '#shared/api/openai/answers.ts'
import type { EmbeddingCall } from '#shared/api/openai/models.ts'
import type { OfferedEmbedding } from '#shared/knowledge/embedding-model/embedding-model.ts'
import type { PriceOf } from '../../models/models/models.ts'
import type { Usage } from '../../models/models/port.ts'
import { assertBalance, recordUsage } from '../../money/billing/billing.ts'
import { assertOpen, keyOf } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { refuse } from './wire-failure.ts'

const TIMEOUT_MS = 120_000
/** Maximum characters of decoded tokens: as many as a request may hold as text. */
const MAX_CHARACTERS = 4_000_000
const nowhere = { session_id: null, run_id: null, step_key: null, attempt: 1 }

/** Returns embeddings at the caller's expense if a provider computes them. @throws AppError `not_available`, ModelError */
export async function embedTexts(
  deps: Deps,
  user: Caller,
  call: EmbeddingCall,
  left: AbortSignal,
): Promise<Embeddings> {
  const { models, db } = deps
  await assertOpen(deps.grants, user.id, { kind: 'model', id: call.model })
  await assertBalance(deps, user.id, keyOf(user))
  const texts = await readInput(deps, call.input)
  const told: { bill: [Promise<Usage>, PriceOf] | null } = { bill: null }
  const signal = AbortSignal.any([left, AbortSignal.timeout(TIMEOUT_MS)])
  const embed = (await models.embedders())(call.model, call.dimensions ?? undefined)
  const vectors = await embed(texts, signal, 'passage', (...bill) => {
    told.bill = bill
  })
  const [used, priceOf] = told.bill ?? []
  const usage = await used
  if (usage && priceOf) {
    const price = await priceOf(usage)
    const entry = { user_id: user.id, key_id: keyOf(user), model_name: call.model, usage, price }
    await recordUsage(db, { ...entry, reason: 'documents', ...nowhere })
  }
  const tokens = usage?.input_tokens ?? (await models.countTokens(call.model, texts.join('\n')))
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      ...{ object: 'embedding', index, embedding: call.encoding_format === 'base64' ? pack(vector) : vector },
    })),
    model: call.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

/** Returns the embedding models a caller may use. */
export async function listEmbeddingModels(
  { models, grants }: Deps,
  user: Caller,
): Promise<OfferedEmbedding[]> {
  const [all, closed] = await Promise.all([models.embeddings(), grants.closedTo(user.id)])
  return all.filter(({ id, problem }) => problem === null && !closed.has('model', id))
}

/** Returns the texts of an input. @throws WireFailure for tokens that are none of cl100k_base */
async function readInput({ models }: Deps, input: EmbeddingCall['input']): Promise<string[]> {
  if (typeof input === 'string') return [input]
  if (input.every((one) => typeof one === 'string')) return input
  const lists = input.every((one) => typeof one === 'number') ? [input] : (input as number[][])
  const texts = await models.decodeTokens(lists)
  const characters = texts?.reduce((sum, { length }) => sum + length, 0) ?? 0
  if (characters > MAX_CHARACTERS) throw refuse('The tokens of the input are too much text.', 'input')
  if (texts) return texts
  throw refuse('The input holds tokens that are not of the encoding cl100k_base. Send text instead.', 'input')
}

/** Packs numbers as little-endian 32-bit floats. */
function pack(vector: number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString('base64')
}
