import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import { keyedForm } from '../../models/provider/keyed-form.ts'

/** The form that connects it. */
export const cohereForm: Omit<ProviderForm, 'kind'> = {
  ...keyedForm,
  name: 'Cohere',
  example_url: 'https://api.cohere.com',
}
