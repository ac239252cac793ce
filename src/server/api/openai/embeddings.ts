import type { Embeddings } from '#shared/api/openai/answers.ts'
import type { EmbeddingCall } from '#shared/api/openai/models.ts'
import type { PriceOf } from '../../models/models/models.ts'
import type { Usage } from '../../models/models/port.ts'
import { assertBalance, recordUsage } from '../../money/billing/billing.ts'
import { assertOpen, keyOf } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'

const TIMEOUT_MS = 120_000
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
  const texts = typeof call.input === 'string' ? [call.input] : call.input
  const told: { bill: [Promise<Usage>, PriceOf] | null } = { bill: null }
  const signal = AbortSignal.any([left, AbortSignal.timeout(TIMEOUT_MS)])
  const embed = (await models.embedders())(call.model)
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

/** Packs numbers as little-endian 32-bit floats. */
function pack(vector: number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString('base64')
}
