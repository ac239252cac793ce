import { givenOf } from '../../../platform/config/fixed-settings.ts'
import { isDrawer } from '../../models/images/drawers.ts'
import { tuningOverGenerate } from '../../models/listing/tuning-of.ts'
import { workOfModel } from '../../models/listing/work-of-model.ts'
import type { ProviderRecord } from '../../models/provider/provider.ts'
import { googleEmbeddings } from './google-embeddings.ts'
import { googleForm } from './google-form.ts'
import { googleGenerate } from './google-generate.ts'
import { googleHeaders } from './google-headers.ts'
import { googleImages } from './google-images.ts'

const google: ProviderRecord = {
  place: 3,
  form: googleForm,
  environment: (config) => ({
    ...{ provider: 'google', name: 'Google', model_ids: [] },
    ...{ base_url: config.GOOGLE_BASE_URL ?? null, api_key: config.GOOGLE_API_KEY ?? null },
    fixed_by: givenOf(config, 'GOOGLE_API_KEY', 'GOOGLE_BASE_URL'),
  }),
  address: { usual: 'https://generativelanguage.googleapis.com/v1beta', version: 'v1beta' },
  chat: googleGenerate,
  tuning: tuningOverGenerate,
  calls: { ids: 'any', maxTools: 512, hasGoogleSchemas: true },
  listing: {
    pages: ['/models?pageSize=1000'],
    next: ({ nextPageToken }) =>
      nextPageToken ? [`/models?pageSize=1000&pageToken=${encodeURIComponent(String(nextPageToken))}`] : [],
    headers: googleHeaders,
    does: (id, { supportedGenerationMethods: methods }) => {
      const does = workOfModel(id, { draws: isDrawer })
      const isSilent = Array.isArray(methods) && !methods.includes('generateContent')
      return does === 'chat' && isSilent ? null : does
    },
    isCallable: () => true,
    mayForbid: true,
    probe: null,
  },
  embeddings: {
    wire: googleEmbeddings,
    known: () => [{ name: 'gemini-embedding-001', dimensions: 3072, max_tokens: 2048 }],
  },
  images: { wire: googleImages, draws: isDrawer },
  speech: null,
  prices: () => ({ providerId: 'google' }),
}
export default google
