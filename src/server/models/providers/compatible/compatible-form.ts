import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import { keyedForm } from '../../models/provider/keyed-form.ts'
import { presets } from './presets.ts'

/** The form that connects it. */
export const compatibleForm: Omit<ProviderForm, 'kind'> = {
  ...keyedForm,
  ...{ name: '', example_url: 'http://127.0.0.1:11434/v1', presets },
  ...{ url: 'required', url_hint: 'url_hint', wants: 'kind_url', key: 'optional', model_ids: 'taken' },
}
