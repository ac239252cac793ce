import type { FormField } from '#shared/models/connections/provider-form.ts'
import { keyHeaders } from '../../models/addresses/key-headers.ts'
import { isDrawer } from '../../models/images/drawers.ts'
import { workOfModel } from '../../models/listing/work-of-model.ts'
import { keyedForm } from '../../models/provider/keyed-form.ts'
import type { ProviderRecord } from '../../models/provider/provider.ts'
import { openaiChat } from '../compatible/openai-chat.ts'
import { OPENAI_EMBEDDINGS, openaiEmbeddings } from '../openai/openai-embeddings.ts'
import { openaiImages } from '../openai/openai-images.ts'
import { authorize, forgetToken } from './access-token.ts'
import { reachResource, showResource } from './azure-resource.ts'

const entra: Omit<FormField, 'path' | 'text' | 'example'> = {
  ...{ required: true, type: 'id', group: 'entra', secret: false },
}

const azure: ProviderRecord = {
  place: 5,
  form: {
    ...keyedForm,
    ...{ name: 'Azure OpenAI', example_url: 'https://my-resource.openai.azure.com' },
    ...{ url: 'required', url_hint: 'url_azure', wants: 'kind_both' },
    ...{ model_ids: 'required', model_ids_text: 'deployments', model_example: 'gpt-5-mini' },
    fields: [
      {
        ...{ path: 'api_version', text: 'api_version', example: 'v1' },
        ...{ required: false, type: 'text', group: null, secret: false },
      },
      { ...entra, path: 'entra.tenant_id', text: 'tenant', example: '' },
      { ...entra, path: 'entra.client_id', text: 'client', example: '' },
      {
        ...entra,
        ...{ path: 'entra.authority', text: 'authority', example: 'https://login.microsoftonline.com' },
        ...{ required: false, type: 'url' },
      },
    ],
  },
  // The address of a resource is complete: no version is looked for.
  address: { usual: null, version: null, reach: reachResource, show: showResource },
  authorize,
  forget: forgetToken,
  chat: openaiChat,
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
