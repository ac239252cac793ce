import { type FormEvent, useId, useState } from 'react'
import { createBenchSet } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { readAgain } from './use-retrieval-bench.ts'

/** Asks for the name of a new set. */
export function SetDialog({ onMade, onClose }: { onMade: (id: string) => void; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const form = useId()
  const [name, setName] = useState('')
  const { run, isPending, error } = useAction(
    () => call(createBenchSet, { body: { name } }),
    async ({ id }) => {
      await readAgain()
      onMade(id)
      onClose()
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isPending && onClose()}
      title={t('debug.bench.new_set')}
      footer={
        <>
          <Button onClick={onClose}>{t('models.cancel')}</Button>
          <Button variant="primary" type="submit" form={form} busy={isPending} disabled={name.trim() === ''}>
            {t('debug.bench.make')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Field label={t('debug.bench.name')} error={error === null ? undefined : errorText(t, error)}>
          <Input
            value={name}
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
