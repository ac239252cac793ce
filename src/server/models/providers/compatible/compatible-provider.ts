import { givenOf } from '../../../platform/config/fixed-settings.ts'
import { keyHeaders } from '../../models/addresses/key-headers.ts'
import { isDrawer } from '../../models/images/drawers.ts'
import { tuningOverChat } from '../../models/listing/tuning-of.ts'
import { workOfModel } from '../../models/listing/work-of-model.ts'
import type { ProviderRecord } from '../../models/provider/provider.ts'
import { listsWhatItServes, reachServer } from '../azure/azure-resource.ts'
import { OPENAI_EMBEDDINGS, openaiEmbeddings } from '../openai/openai-embeddings.ts'
import { openaiImages } from '../openai/openai-images.ts'
import { askServer } from './ask-server.ts'
import { knownEmbeddingsAt } from './compatible-embeddings.ts'
import { compatibleForm } from './compatible-form.ts'
import { rerankAt, rerankTokenCost } from './compatible-rerank.ts'
import { openaiChat } from './openai-chat.ts'

/** Any server that speaks OpenAI's chat completions. */
const compatible: ProviderRecord = {
  place: 9,
  form: compatibleForm,
  environment: (config) => ({
    ...{ provider: config.ATRIUM_COMPATIBLE_NAME, name: config.ATRIUM_COMPATIBLE_NAME },
    ...{ base_url: config.ATRIUM_COMPATIBLE_URL ?? null, api_key: config.ATRIUM_COMPATIBLE_KEY ?? null },
    model_ids: config.ATRIUM_COMPATIBLE_MODELS,
    // A key is of no use without an address.
    fixed_by: config.ATRIUM_COMPATIBLE_URL
      ? givenOf(config, 'ATRIUM_COMPATIBLE_URL', 'ATRIUM_COMPATIBLE_KEY')
      : [],
  }),
  address: { usual: null, version: 'v1', reach: reachServer, isNamed: true },
  chat: openaiChat,
  tuning: tuningOverChat,
  calls: { ids: 'any', maxTools: Number.POSITIVE_INFINITY },
  listing: {
    pages: ['/models'],
    headers: keyHeaders,
    isStrict: true,
    hasNames: true,
    does: (id) => workOfModel(id, { draws: isDrawer, reranks: true }),
    complete: askServer,
    isCallable: listsWhatItServes,
    mayForbid: true,
    probe: '/chat/completions',
  },
  embeddings: { wire: () => openaiEmbeddings, known: knownEmbeddingsAt, ifNamed: OPENAI_EMBEDDINGS },
  rerank: rerankAt,
  rerankCost: (base_url, model, { input_tokens }) => rerankTokenCost(base_url, model, input_tokens),
  images: { wire: openaiImages, draws: isDrawer },
  speech: '/audio/transcriptions',
  prices: (providerApiUrl) => ({ providerApiUrl }),
}
export default compatible
