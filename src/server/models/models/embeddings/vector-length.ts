import { ModelError } from '../port.ts'
import type { EmbedTexts } from './embed-texts.ts'

/** Wraps `embed` so that it throws a `ModelError` when the vectors have another length than `wanted`. */
export function embedInLength(embed: EmbedTexts, modelId: string, wanted: number | undefined): EmbedTexts {
  if (wanted === undefined) return embed
  return async (...given) => {
    const vectors = await embed(...given)
    for (const { length } of vectors) assertLength(modelId, length, wanted)
    return vectors
  }
}

/** @throws ModelError when a model's vectors have another length than the wanted one */
export function assertLength(modelId: string, length: number, wanted: number | undefined): void {
  if (wanted === undefined || length === wanted) return
  throw new ModelError('bad_request', `The vectors of ${modelId} have ${length} dimensions, not ${wanted}.`, {
    status: 400,
  })
}
