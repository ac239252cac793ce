import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import type { ConnectionForm } from './use-connection-form.ts'

const fields = ['requests', 'tokens'] as const

/** Limits of a connection per minute; an empty field means no limit. */
export function LimitFields({ form }: { form: ConnectionForm }) {
  const { t } = useTranslation('admin')
  const { draft, problems, change } = form
  return (
    <div className="grid gap-3.5 sm:grid-cols-2">
      {fields.map((field) => {
        const problem = problems[field]
        return (
          <Field
            key={field}
            label={t(`models.limits.${field}`)}
            optional
            hint={t('models.limits.hint')}
            error={problem && t(`models.form.${problem}`)}
          >
            <Input
              inputMode="numeric"
              autoComplete="off"
              className="num"
              placeholder={t('models.limits.none')}
              value={draft[field]}
              onChange={({ target }) => change({ ...draft, [field]: target.value })}
            />
          </Field>
        )
      })}
    </div>
  )
}
