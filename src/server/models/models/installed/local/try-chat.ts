import { join } from 'node:path'
import type { ModelTrial } from '#shared/knowledge/installed-models/installed-models.ts'
import type { Config } from '../../../../platform/config/config.ts'
import { writeChatFacts } from './chat-folder.ts'
import { createLocalModels } from './local-models.ts'

/** Duration of the speed measurement. */
const MEASURED_MS = 2_000

/**
 * Loads the chat model in `parent/name`, measures its speed, and writes the result to its folder. The model is offered from then on.
 * @throws ModelError with a sentence about the problem; the reason of `signal`
 */
export async function tryChat(
  config: Config,
  parent: string,
  name: string,
  signal: AbortSignal,
): Promise<Omit<ModelTrial, 'tried_at'>> {
  const models = createLocalModels(config, { folder: parent })
  try {
    const facts = await models.measure(name, MEASURED_MS, signal)
    await writeChatFacts(join(parent, name), facts)
    const milliseconds = Math.round(10_000 / facts.tokens_per_second) / 10
    return { dimensions: null, max_tokens: facts.context_tokens, milliseconds }
  } finally {
    models.close()
  }
}
