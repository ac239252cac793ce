import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import { keyedForm } from '../../models/provider/keyed-form.ts'

/** The form that connects it. */
export const anthropicForm: Omit<ProviderForm, 'kind'> = {
  ...keyedForm,
  name: 'Anthropic',
  example_url: 'https://api.anthropic.com',
  model_ids: 'elsewhere',
}
