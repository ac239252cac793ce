import type { ModelDeps } from '../../models/model-deps.ts'
import type { Usage } from '../../models/models/port.ts'
import { toBytes } from '../../platform/vectors/vectors.ts'
import type { PassageToEmbed } from './vector-store.ts'

/** Passages whose vectors are asked for and stored at once: what a killed process has to do again. */
export const PASSAGES_AT_ONCE = 32

/**
 * A vector of each passage as it is stored, with the titles it stands below, and what its provider used: null where it runs here.
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
  // What a document says again and again has one vector.
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
