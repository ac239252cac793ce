import type { FormField } from '#shared/models/connections/provider-form.ts'
import { workOfModel } from '../../models/listing/work-of-model.ts'
import { keyedForm } from '../../models/provider/keyed-form.ts'
import type { ProviderRecord } from '../../models/provider/provider.ts'
import { reachBedrock, showBedrock } from './bedrock-address.ts'
import { BEDROCK_EMBEDDINGS, bedrockEmbeddings } from './bedrock-embeddings.ts'
import { listBedrock } from './list-bedrock.ts'
import { signRequest } from './sign-request.ts'
import { probeBedrock, streamBedrock } from './stream-bedrock.ts'

const accessKey: Omit<FormField, 'path' | 'text' | 'example'> = {
  ...{ required: true, type: 'id', group: 'access_key', secret: false },
}

/** Amazon Bedrock. Signs with an access key or the role of the machine, or sends an API key. */
const bedrock: ProviderRecord = {
  place: 6,
  form: {
    ...keyedForm,
    ...{ name: 'Amazon Bedrock', example_url: 'https://bedrock-runtime.eu-central-1.amazonaws.com' },
    ...{ wants: 'kind_region', url_hint: 'url_bedrock', key: 'optional', key_hint: 'key_hint_bedrock' },
    ...{ model_ids: 'taken', model_example: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0' },
    fields: [
      {
        ...{ path: 'options.region', text: 'region', example: 'eu-central-1' },
        ...{ required: true, type: 'id', group: null, secret: false },
      },
      { ...accessKey, path: 'options.access_key_id', text: 'access_key_id', example: 'AKIA…' },
      {
        ...accessKey,
        ...{ path: 'session_token', text: 'session_token', example: '' },
        ...{ required: false, type: 'text', secret: true },
      },
    ],
  },
  address: { usual: null, version: null, reach: reachBedrock, show: showBedrock },
  sign: signRequest,
  chat: streamBedrock,
  calls: { ids: 'anthropic', maxTools: Number.POSITIVE_INFINITY },
  listing: {
    list: listBedrock,
    ...{ pages: [], headers: () => ({}) },
    does: (id) => (/canvas|reel|sonic|stability\.|titan-image/i.test(id) ? null : workOfModel(id)),
    isCallable: () => true,
    mayForbid: true,
    probe: probeBedrock,
  },
  embeddings: { wire: bedrockEmbeddings, known: () => BEDROCK_EMBEDDINGS },
  images: null,
  speech: null,
  prices: () => ({ providerId: 'aws' }),
}
export default bedrock
