import { keyHeaders } from '../../models/addresses/key-headers.ts'
import { workOfModel } from '../../models/listing/work-of-model.ts'
import type { ProviderRecord } from '../../models/provider/provider.ts'
import { COHERE_EMBEDDINGS, cohereEmbed } from './cohere-embeddings.ts'
import { cohereForm } from './cohere-form.ts'
import { cohereRerank, searchCost } from './cohere-rerank.ts'
import { streamCohere } from './stream-cohere.ts'

const cohere: ProviderRecord = {
  place: 4,
  form: cohereForm,
  address: { usual: 'https://api.cohere.com/v2', version: 'v2' },
  chat: streamCohere,
  calls: { ids: 'any', maxTools: Number.POSITIVE_INFINITY },
  listing: {
    pages: ['chat', 'rerank'].map((endpoint) => `/models?endpoint=${endpoint}&page_size=1000`),
    headers: keyHeaders,
    does: (id) => workOfModel(id, { reranks: true }),
    isCallable: () => true,
    mayForbid: true,
    probe: null,
  },
  embeddings: { wire: () => cohereEmbed, known: () => COHERE_EMBEDDINGS },
  rerank: () => cohereRerank,
  rerankCost: (_, model, { searches }) => searchCost(model, searches ?? 0),
  images: null,
  speech: null,
  prices: () => ({ providerId: 'cohere' }),
}
export default cohere
