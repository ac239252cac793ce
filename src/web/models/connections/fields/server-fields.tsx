import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { takesOneAtATime } from '../connection-draft.ts'
import type { ConnectionForm } from '../use-connection-form.ts'

/** How a server answers: one request at a time, and how long its first word may take. */
export function ServerFields({ form }: { form: ConnectionForm }) {
  const { t } = useTranslation('admin')
  const { draft, problems, change } = form
  return (
    <>
      <div className="grid gap-1">
        <Checkbox
          label={t('models.server.one_at_a_time')}
          checked={takesOneAtATime(draft)}
          onCheckedChange={(oneAtATime) => change({ ...draft, oneAtATime })}
        />
        <p className="pl-6 text-12 text-ink-3">{t('models.server.one_at_a_time_hint')}</p>
      </div>
      <Field
        label={t('models.server.first_token')}
        optional
        hint={t('models.server.first_token_hint')}
        error={problems.firstToken && t(`models.form.${problems.firstToken}`)}
      >
        <Input
          inputMode="numeric"
          autoComplete="off"
          className="num"
          placeholder={t('models.server.first_token_default')}
          value={draft.firstToken}
          onChange={({ target }) => change({ ...draft, firstToken: target.value })}
        />
      </Field>
    </>
  )
}
