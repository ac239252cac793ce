import { isDrawer } from '../../models/images/drawers.ts'
import type { ProviderRecord } from '../../models/provider/provider.ts'
import { longestAnswer } from '../anthropic/longest-answer.ts'
import { googleEmbeddings } from '../google/google-embeddings.ts'
import { googleHeaders } from '../google/google-headers.ts'
import { googleImages } from '../google/google-images.ts'
import { listVertex } from './list-vertex.ts'
import { probeVertex } from './probe-vertex.ts'
import { authorizeVertex, forgetVertex } from './service-account.ts'
import { reachVertex, showVertex } from './vertex-address.ts'
import { googleModelsAt, isClaude, vertexModels } from './vertex-dialect.ts'
import { vertexForm } from './vertex-form.ts'
import { workOfVertexModel } from './work-of-vertex-model.ts'

/** Google Vertex AI, with the key file of a service account or an API key of the express mode. */
const vertex: ProviderRecord = {
  place: 7,
  form: vertexForm,
  address: { usual: null, version: null, reach: reachVertex, show: showVertex },
  authorize: authorizeVertex,
  forget: forgetVertex,
  chat: vertexModels,
  calls: {
    ...{ ids: 'anthropic', maxTools: 512, hasGoogleSchemas: true },
    outputLimit: (model, known) => (isClaude(model) ? longestAnswer(model, known) : undefined),
  },
  listing: {
    list: listVertex,
    ...{ pages: [], headers: googleHeaders },
    does: workOfVertexModel,
    isCallable: () => true,
    mayForbid: true,
    probe: probeVertex,
  },
  embeddings: {
    wire: (base_url, model) => {
      const wire = googleEmbeddings(`${base_url}/publishers/google`, model)
      return {
        ...wire,
        request: (name, texts, endpoint, role) => wire.request(name, texts, googleModelsAt(endpoint), role),
      }
    },
    known: () => [
      { name: 'gemini-embedding-001', dimensions: 3072, max_tokens: 2048 },
      { name: 'text-multilingual-embedding-002', dimensions: 768, max_tokens: 2048 },
    ],
  },
  images: {
    wire: {
      ...googleImages,
      request: (model, wish, endpoint) => googleImages.request(model, wish, googleModelsAt(endpoint)),
    },
    draws: isDrawer,
  },
  speech: null,
  prices: () => ({ providerId: 'google' }),
}
export default vertex
