import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import { adaptToRefusals } from '../../adapting/adaptive.ts'
import { type Learned, type ModelFacts, withFacts } from '../../adapting/learned.ts'
import type { StreamModel } from '../../port.ts'
import type { ChatFacts } from './chat-folder.ts'

/** Models that run here read text alone. */
const LACKS: readonly Adaptation[] = [{ name: 'no_images' }]

/** The stream of a local model: calls are fitted into its window, and it gets no pictures. */
export function adaptLocal(
  stream: StreamModel,
  { context_tokens }: ChatFacts,
  learned: Learned,
  count: ModelFacts['count'],
): StreamModel {
  const facts = { kind: 'local', base_url: '', context_tokens, count }
  return adaptToRefusals(stream, withFacts(learned, LACKS), facts)
}
