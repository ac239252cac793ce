import type { ModelDeps } from '../../models/model-deps.ts'
import type { Usage } from '../../models/models/port.ts'
import { toBytes } from '../../platform/vectors/vectors.ts'
import type { PassageToEmbed } from './vector-store.ts'

/** Passages embedded and stored per batch. A killed process repeats at most one batch. */
export const PASSAGES_AT_ONCE = 32

/**
 * Embeds passages together with their headings. Returns the vectors as stored, and the provider's usage; null for a local model.
 * @throws ModelError, AppError; the reason of `signal`
 */
export async function embedPassages(
  { models }: Pick<ModelDeps, 'models'>,
  model: string,
  passages: readonly PassageToEmbed[],
  signal: AbortSignal,
): Promise<{ vectors: { chunk_id: string; vector: Buffer }[]; usage: Usage | null }> {
  const texts = passages.map(({ text, heading_path }) =>
    [...heading_path.filter((one) => !text.includes(one)), text].join('\n'),
  )
  const told: { usage: Promise<Usage> | null } = { usage: null }
  const embed = (await models.embedders())(model)
  // Repeated texts are embedded once.
  const places = new Map([...new Set(texts)].map((text, place) => [text, place]))
  const vectors = await embed([...places.keys()], signal, 'passage', (usage) => {
    told.usage = usage
  })
  return {
    vectors: passages.map(({ id }, at) => ({
      chunk_id: id,
      vector: toBytes(vectors[places.get(texts[at] ?? '') ?? -1] ?? []),
    })),
    usage: await told.usage,
  }
}
