import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isComposing } from '../../platform/lib/enter-key.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'

/** Maximum characters accepted by the server. */
const MAX_NAME = 100

type NameFormProps = {
  name?: string
  hint?: string
  submitLabel: string
  onSubmit: (name: string) => Promise<unknown>
  onClose: () => void
}

/** The name of a new or renamed workspace. Escape closes it. */
export function NameForm({ name = '', hint, submitLabel, onSubmit, onClose }: NameFormProps) {
  const { t } = useTranslation('documents')
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(name)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => field.current?.select(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = typed.trim()
    if (!wanted) {
      setError(t('workspace.name_missing'))
      return field.current?.focus()
    }
    setBusy(true)
    setError(null)
    try {
      if (wanted !== name) await onSubmit(wanted)
      onClose()
    } catch (failure) {
      setError(errorText(t, failure))
      setBusy(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event)) return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
  return (
    <form
      onSubmit={(event) => void submit(event)}
      className="grid gap-2.5 rounded-card border border-line bg-surface p-3"
    >
      <Field label={t('workspace.name')} hint={hint} error={error}>
        <Input
          ref={field}
          autoFocus
          value={typed}
          maxLength={MAX_NAME}
          onKeyDown={onKeyDown}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      <div className="flex justify-between gap-2">
        <Button size="sm" onClick={onClose}>
          {t('common:actions.cancel')}
        </Button>
        <Button size="sm" variant="primary" type="submit" busy={isBusy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
