import type { FormField, ProviderForm } from '#shared/models/connections/provider-form.ts'
import { keyedForm } from '../../models/provider/keyed-form.ts'

const entra: Omit<FormField, 'path' | 'text' | 'example'> = {
  ...{ required: true, type: 'id', has_hint: false, group: 'entra', secret: false },
}

/** The form that connects it. */
export const azureForm: Omit<ProviderForm, 'kind'> = {
  ...keyedForm,
  ...{ name: 'Azure OpenAI', example_url: 'https://my-resource.openai.azure.com' },
  ...{ url: 'required', url_hint: 'url_azure', wants: 'kind_both' },
  ...{ model_ids: 'required', model_ids_text: 'deployments', model_example: 'gpt-5-mini' },
  fields: [
    {
      ...{ path: 'api_version', text: 'api_version', example: 'v1' },
      ...{ required: false, type: 'text', has_hint: true, group: null, secret: false },
    },
    { ...entra, path: 'entra.tenant_id', text: 'tenant', example: '' },
    { ...entra, path: 'entra.client_id', text: 'client', example: '' },
    {
      ...entra,
      ...{ path: 'entra.authority', text: 'authority', example: 'https://login.microsoftonline.com' },
      ...{ required: false, type: 'url', has_hint: true },
    },
  ],
}
