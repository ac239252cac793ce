import type { ProviderForm } from '#shared/models/connections/provider-form.ts'

/** The form of a provider with one address and a required key. */
export const keyedForm: Omit<ProviderForm, 'kind' | 'name' | 'example_url'> = {
  ...{ url: 'optional', url_hint: 'url_default', wants: 'kind_key' },
  ...{ key: 'required', key_label: 'key', key_hint: null },
  ...{ model_ids: 'none', model_ids_text: 'model_ids', model_example: 'my-model' },
  ...{ fields: [], presets: [] },
}
