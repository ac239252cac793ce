import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { OpenChat } from '../../models/provider/provider.ts'
import { streamSdkModel, streamThroughSdk } from '../../models/sdk/adapter.ts'
import type { Endpoint } from '../../models/wire/dialect.ts'
import { readAwsKeys } from './aws-credentials.ts'
import { regionOf } from './bedrock-address.ts'
import { cachePrompt } from './cache-prompt.ts'
import { fetchFrames } from './fetch-frames.ts'

const PROBE_MS = 60_000

/** Calls Bedrock's Converse API through the AI SDK. */
export const streamBedrock: OpenChat = (_, patience, limits, gate) =>
  streamThroughSdk(openModel, patience, limits, gate)

/** Requests the shortest possible answer from a model. @throws ModelError */
export async function probeBedrock(endpoint: Endpoint, model: string): Promise<void> {
  const call = {
    ...{ model, tools: [], tool_choice: 'none' as const, max_output_tokens: 16 },
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }],
  }
  await streamSdkModel(await openModel(endpoint, model), call, AbortSignal.timeout(PROBE_MS), () => {})
}

async function openModel(endpoint: Endpoint, model: string): Promise<LanguageModelV4> {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
  const keys = await readAwsKeys(endpoint)
  const bedrock = createAmazonBedrock({
    ...{ baseURL: endpoint.base_url, region: regionOf(endpoint) },
    // An empty key keeps the SDK from reading one from the environment.
    apiKey: keys ? '' : (endpoint.api_key ?? ''),
    ...(keys && { credentialProvider: async () => keys }),
    fetch: fetchFrames,
  })
  return cachePrompt(bedrock(model))
}
