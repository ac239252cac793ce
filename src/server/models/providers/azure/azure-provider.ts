import { keyHeaders } from '../../models/addresses/key-headers.ts'
import { isDrawer } from '../../models/images/drawers.ts'
import { tuningOverChat } from '../../models/listing/tuning-of.ts'
import { workOfModel } from '../../models/listing/work-of-model.ts'
import type { ProviderRecord } from '../../models/provider/provider.ts'
import { openaiChat } from '../compatible/openai-chat.ts'
import { OPENAI_EMBEDDINGS, openaiEmbeddings } from '../openai/openai-embeddings.ts'
import { openaiImages } from '../openai/openai-images.ts'
import { authorize, forgetToken } from './access-token.ts'
import { azureForm } from './azure-form.ts'
import { reachResource, showResource } from './azure-resource.ts'

const azure: ProviderRecord = {
  place: 5,
  form: azureForm,
  // The address of a resource is complete: no version is looked for.
  address: { usual: null, version: null, reach: reachResource, show: showResource },
  authorize,
  forget: forgetToken,
  chat: openaiChat,
  tuning: tuningOverChat,
  calls: { ids: 'short', maxTools: 128 },
  listing: {
    pages: ['/models'],
    headers: keyHeaders,
    does: (id) => workOfModel(id, { draws: isDrawer }),
    isCallable: () => false,
    mayForbid: false,
    probe: '/chat/completions',
  },
  embeddings: { wire: () => openaiEmbeddings, known: () => [], ifNamed: OPENAI_EMBEDDINGS },
  images: { wire: openaiImages, draws: isDrawer },
  speech: '/audio/transcriptions',
  prices: () => ({ providerId: 'azure' }),
}
export default azure
