import { type FormEvent, useId, useState } from 'react'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { update } from './save.ts'

type RenameAssistantProps = { assistant: ListedAssistant; onClose: () => void }

/** Renames an assistant without changing anything else. */
export function RenameAssistant({ assistant, onClose }: RenameAssistantProps) {
  const { t } = useTranslation('assistant')
  const form = useId()
  const [name, setName] = useState(assistant.name)
  const wanted = name.trim()
  const { run, isPending } = useAction(async () => {
    if (wanted !== assistant.name) await update(assistant.id, { name: wanted })
    onClose()
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (wanted) void run()
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('rename.title', { name: assistant.name })}
      footer={
        <>
          <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={isPending} disabled={!wanted}>
            {t('rename.label')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={onSubmit}>
        <Field label={t('field.name')} error={wanted ? undefined : t('field.name_missing')}>
          <Input autoFocus value={name} maxLength={100} onChange={({ target }) => setName(target.value)} />
        </Field>
      </form>
    </Dialog>
  )
}
