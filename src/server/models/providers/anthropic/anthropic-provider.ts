import { givenOf } from '../../../platform/config/fixed-settings.ts'
import { tuningOverMessages } from '../../models/listing/tuning-of.ts'
import type { ProviderRecord } from '../../models/provider/provider.ts'
import { anthropicForm } from './anthropic-form.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { longestAnswer } from './longest-answer.ts'

const anthropic: ProviderRecord = {
  place: 2,
  form: anthropicForm,
  environment: (config) => ({
    ...{ provider: 'anthropic', name: 'Anthropic', model_ids: [] },
    ...{ base_url: config.ANTHROPIC_BASE_URL ?? null, api_key: config.ANTHROPIC_API_KEY ?? null },
    fixed_by: givenOf(config, 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'),
  }),
  address: { usual: 'https://api.anthropic.com/v1', version: 'v1' },
  chat: anthropicMessages,
  tuning: tuningOverMessages,
  calls: { ids: 'anthropic', maxTools: Number.POSITIVE_INFINITY, outputLimit: longestAnswer },
  listing: {
    pages: ['/models?limit=1000'],
    next: ({ has_more, last_id }) =>
      has_more && last_id ? [`/models?limit=1000&after_id=${encodeURIComponent(String(last_id))}`] : [],
    headers: ({ api_key }) => ({
      'anthropic-version': '2023-06-01',
      ...(api_key && { 'x-api-key': api_key }),
    }),
    does: () => 'chat',
    isCallable: () => true,
    mayForbid: true,
    probe: '/messages',
  },
  embeddings: null,
  images: null,
  speech: null,
  prices: () => ({ providerId: 'anthropic' }),
}
export default anthropic
