import type { ModelDeps } from '../../../models/model-deps.ts'
import type { FactVector } from '../fact-store.ts'

/** An answer never waits longer for vectors. Without them facts are found by their words. */
const PATIENCE_MS = 3_000

type Kit = Pick<ModelDeps, 'models' | 'log'>

/** Embeds texts with the built-in model, which costs nothing and sends nothing outside. Returns null when it cannot now. */
export async function embedFacts(
  { models, log }: Kit,
  texts: string[],
  signal?: AbortSignal,
): Promise<FactVector[] | null> {
  if (texts.length === 0) return []
  try {
    const { id } = await models.builtInEmbedding()
    const embed = (await models.embedders())(id)
    const limit = AbortSignal.timeout(PATIENCE_MS)
    const vectors = await embed(texts, signal ? AbortSignal.any([signal, limit]) : limit)
    return vectors.map((vector) => ({ model: id, vector }))
  } catch (error) {
    signal?.throwIfAborted()
    log.warn({ error }, 'Facts were compared by their words only.')
    return null
  }
}

/** Embeds one text. */
export const embedFact = async (kit: Kit, text: string): Promise<FactVector | null> =>
  (await embedFacts(kit, [text]))?.[0] ?? null
