import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import { keyedForm } from '../../models/provider/keyed-form.ts'

/** The form that connects it. */
export const googleForm: Omit<ProviderForm, 'kind'> = {
  ...keyedForm,
  name: 'Google',
  example_url: 'https://generativelanguage.googleapis.com',
}
