import { answeringBase } from '../../models/addresses/bases.ts'
import type { OpenChat } from '../../models/provider/provider.ts'
import { streamThroughSdk } from '../../models/sdk/adapter.ts'
import { fetchEvents } from './whole-answer.ts'

/** Cohere's chat, spoken to through the AI SDK. */
export const streamCohere: OpenChat = (_, patience, limits, gate) =>
  streamThroughSdk(
    async ({ base_url, api_key }, model) => {
      const { createCohere } = await import('@ai-sdk/cohere')
      const baseURL = answeringBase(base_url)
      return createCohere({ baseURL, apiKey: api_key ?? '', fetch: fetchEvents })(model)
    },
    patience,
    limits,
    gate,
  )
