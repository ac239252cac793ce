import type { FormField, ProviderForm } from '#shared/models/connections/provider-form.ts'
import { keyedForm } from '../../models/provider/keyed-form.ts'

const accessKey: Omit<FormField, 'path' | 'text' | 'example'> = {
  ...{ required: true, type: 'id', has_hint: false, group: 'access_key', secret: false },
}

/** The fields of the connection dialog. */
export const bedrockForm: Omit<ProviderForm, 'kind'> = {
  ...keyedForm,
  ...{ name: 'Amazon Bedrock', example_url: 'https://bedrock-runtime.eu-central-1.amazonaws.com' },
  ...{ wants: 'kind_region', url_hint: 'url_bedrock', key: 'optional', key_hint: 'key_hint_bedrock' },
  ...{ model_ids: 'taken', model_example: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0' },
  fields: [
    {
      ...{ path: 'options.region', text: 'region', example: 'eu-central-1' },
      ...{ required: true, type: 'id', has_hint: false, group: null, secret: false },
    },
    { ...accessKey, path: 'options.access_key_id', text: 'access_key_id', example: 'AKIA…' },
    {
      ...accessKey,
      ...{ path: 'session_token', text: 'session_token', example: '' },
      ...{ required: false, type: 'text', has_hint: true, secret: true },
    },
  ],
}
