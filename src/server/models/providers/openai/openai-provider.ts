import { givenOf } from '../../../platform/config/fixed-settings.ts'
import { keyHeaders } from '../../models/addresses/key-headers.ts'
import { isDrawer } from '../../models/images/drawers.ts'
import { tuningOverChat } from '../../models/listing/tuning-of.ts'
import { workOfModel } from '../../models/listing/work-of-model.ts'
import type { ProviderRecord } from '../../models/provider/provider.ts'
import { listsWhatItServes, reachServer } from '../azure/azure-resource.ts'
import { OPENAI_EMBEDDINGS, openaiEmbeddings } from './openai-embeddings.ts'
import { openaiForm } from './openai-form.ts'
import { openaiImages } from './openai-images.ts'
import { openaiResponses } from './openai-responses.ts'

const openai: ProviderRecord = {
  place: 1,
  form: openaiForm,
  environment: (config) => ({
    ...{ provider: 'openai', name: 'OpenAI', model_ids: [] },
    ...{ base_url: config.OPENAI_BASE_URL ?? null, api_key: config.OPENAI_API_KEY ?? null },
    fixed_by: givenOf(config, 'OPENAI_API_KEY', 'OPENAI_BASE_URL'),
  }),
  address: { usual: 'https://api.openai.com/v1', version: 'v1', reach: reachServer },
  chat: openaiResponses,
  tuning: tuningOverChat,
  calls: { ids: 'short', maxTools: 128 },
  listing: {
    pages: ['/models'],
    headers: keyHeaders,
    isStrict: true,
    // OpenAI lists in no order at all.
    inOrder: (items) => items.toSorted((a, b) => Number(b.created ?? 0) - Number(a.created ?? 0)),
    does: (id) => workOfModel(id, { draws: isDrawer }),
    isCallable: listsWhatItServes,
    mayForbid: true,
    probe: '/chat/completions',
  },
  embeddings: { wire: () => openaiEmbeddings, known: () => OPENAI_EMBEDDINGS },
  images: { wire: openaiImages, draws: isDrawer },
  speech: '/audio/transcriptions',
  prices: () => ({ providerId: 'openai' }),
}
export default openai
