import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import { adaptToRefusals } from '../../adapting/adaptive.ts'
import { type Learned, type ModelFacts, withFacts } from '../../adapting/learned.ts'
import type { StreamModel } from '../../port.ts'
import type { ChatFacts } from './chat-folder.ts'

/** Local models read text only. */
const LACKS: readonly Adaptation[] = [{ name: 'no_images' }]

/** Adapts the stream of a local model: shortens calls to its window and removes images. */
export function adaptLocal(
  stream: StreamModel,
  { context_tokens }: ChatFacts,
  learned: Learned,
  count: ModelFacts['count'],
): StreamModel {
  const facts = { kind: 'local', base_url: '', context_tokens, count }
  return adaptToRefusals(stream, withFacts(learned, LACKS), facts)
}
