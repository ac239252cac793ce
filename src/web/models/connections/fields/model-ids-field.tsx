import { readTrouble } from '#shared/models/connections/provider-trouble.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Field } from '../../../platform/ui/field.tsx'
import { Textarea } from '../../../platform/ui/input.tsx'
import type { ConnectionForm } from '../use-connection-form.ts'

/** Ids of models, one per line, for servers that list none. On Azure these are the deployments. */
export function ModelIdsField({ form }: { form: ConnectionForm }) {
  const { t } = useTranslation('admin')
  const { draft, test, problems, change } = form
  const { model_ids: wanted, model_ids_text: text, model_example } = draft.form
  const isRequired = wanted === 'required'
  const isListless = test.data ? !test.data.lists_models : form.isListless
  const isMissing = readTrouble(test.data?.detail ?? '')?.kind === 'no_list' && draft.modelIds.trim() === ''
  const error = problems.modelIds ?? (isMissing ? 'model_ids_missing' : undefined)
  return (
    <Field
      label={t(`models.form.${text}`)}
      optional={!isRequired && !isListless}
      hint={t(`models.form.${isListless && !isRequired ? 'model_ids_listless' : `${text}_hint`}`)}
      error={error && t(`models.form.${error}`)}
    >
      <Textarea
        rows={2}
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-13!"
        placeholder={model_example}
        value={draft.modelIds}
        onChange={({ target }) => change({ ...draft, modelIds: target.value })}
      />
    </Field>
  )
}
