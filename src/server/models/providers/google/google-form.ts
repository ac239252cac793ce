import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import { keyedForm } from '../../models/provider/keyed-form.ts'

/** What a person types to connect it. */
export const googleForm: Omit<ProviderForm, 'kind'> = {
  ...keyedForm,
  name: 'Google',
  example_url: 'https://generativelanguage.googleapis.com',
}
