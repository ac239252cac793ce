import type { FormField, ProviderForm } from '#shared/models/connections/provider-form.ts'
import { keyedForm } from '../../models/provider/keyed-form.ts'

const place: Omit<FormField, 'path' | 'text' | 'example'> = {
  ...{ required: false, type: 'id', has_hint: true, group: null, secret: false },
}

/** The fields of the connection dialog. */
export const vertexForm: Omit<ProviderForm, 'kind'> = {
  ...keyedForm,
  ...{ name: 'Google Vertex AI', example_url: 'https://europe-west4-aiplatform.googleapis.com' },
  ...{ wants: 'kind_service_account', key_label: 'service_account', key_hint: 'key_hint_vertex' },
  ...{ model_ids: 'taken', model_example: 'claude-sonnet-4-5@20250929' },
  fields: [
    { ...place, path: 'options.project', text: 'project', example: 'my-project-123456' },
    { ...place, path: 'options.location', text: 'location', example: 'global' },
  ],
}
