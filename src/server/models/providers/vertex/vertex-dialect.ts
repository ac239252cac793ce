import { urlAt } from '../../models/addresses/operation-url.ts'
import type { Dialect, Endpoint } from '../../models/wire/dialect.ts'
import { anthropicMessages } from '../anthropic/anthropic-messages.ts'
import { openaiChat } from '../compatible/openai-chat.ts'
import { googleGenerate } from '../google/google-generate.ts'
import { googleHeaders } from '../google/google-headers.ts'

/** Returns the endpoint of the models that Google publishes. */
export const googleModelsAt = <Given extends Endpoint>(endpoint: Given): Given => ({
  ...endpoint,
  base_url: `${endpoint.base_url}/publishers/google`,
})

/** Claude over Anthropic's Messages API. Vertex AI expects the model in the address and the version in the body. */
const claude: Dialect = {
  request: (call, endpoint) => {
    const { model, ...body } = anthropicMessages.request(call, endpoint).body
    const path = `/publishers/anthropic/models/${encodeURIComponent(String(model))}:streamRawPredict`
    return {
      url: urlAt(endpoint.base_url, path),
      headers: googleHeaders(endpoint),
      body: { ...body, anthropic_version: 'vertex-2023-10-16' },
    }
  },
  createReader: anthropicMessages.createReader,
}

const gemini: Dialect = {
  request: (call, endpoint) => googleGenerate.request(call, googleModelsAt(endpoint)),
  createReader: googleGenerate.createReader,
}

/** Models of other publishers, such as `meta/llama-…`, over chat completions. */
const others: Dialect = {
  request: (call, endpoint) =>
    openaiChat.request(call, { ...endpoint, base_url: `${endpoint.base_url}/endpoints/openapi` }),
  createReader: openaiChat.createReader,
}

/** Vertex AI speaks to each publisher's models in their own dialect. */
export const vertexModels: Dialect = {
  request: (call, endpoint) => dialectOf(call.model).request(call, endpoint),
  createReader: (call, allowance) => dialectOf(call.model).createReader(call, allowance),
}

export const isClaude = (model: string): boolean => model.startsWith('claude-')

function dialectOf(model: string): Dialect {
  if (isClaude(model)) return claude
  return model.includes('/') ? others : gemini
}
