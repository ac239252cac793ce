import { useState } from 'react'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'

type PasskeyNameProps = { before?: string; onName: (name: string) => Promise<void>; onCancel: () => void }

/** Form for the name of a passkey. */
export function PasskeyName({ before = '', onName, onCancel }: PasskeyNameProps) {
  const { t } = useTranslation('common')
  const [name, setName] = useState(before)
  const naming = useAction(() => onName(name.trim()))
  return (
    <form
      className="grid gap-3.5"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim()) void naming.run()
      }}
    >
      <Field
        label={t('user.passkeys.name')}
        hint={t('user.passkeys.name_hint')}
        error={naming.error === null ? undefined : errorText(t, naming.error)}
      >
        <Input autoFocus maxLength={100} value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={!name.trim()} busy={naming.isPending}>
          {t('user.passkeys.save')}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t('user.two_step.cancel')}
        </Button>
      </div>
    </form>
  )
}
