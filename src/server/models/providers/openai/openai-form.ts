import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import { keyedForm } from '../../models/provider/keyed-form.ts'

/** The form that connects it. */
export const openaiForm: Omit<ProviderForm, 'kind'> = {
  ...keyedForm,
  name: 'OpenAI',
  example_url: 'https://api.openai.com/v1',
  model_ids: 'elsewhere',
}
