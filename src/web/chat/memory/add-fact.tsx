import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_FACT } from '#shared/chat/memory/fact.ts'
import { addFact } from '#shared/chat/memory/memory.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { FormDialog } from '../../platform/ui/overlays/form-dialog.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { refusalText } from './refusal-text.ts'
import { refreshMemory } from './use-chat-memory.ts'
import { useProjectChoices } from './use-project-choices.ts'

/** Writes a fact by hand, for all chats or for a project. */
export function AddFact({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('memory')
  const [text, setText] = useState('')
  const [projectId, setProject] = useState('')
  const projects = useProjectChoices()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(addFact, { body: { text, workspace_id: projectId || null } }),
    onSuccess: ({ outcome }) => {
      toast.success(t(`add.${outcome}`))
      onClose()
    },
    onSettled: refreshMemory,
  })
  return (
    <FormDialog
      title={t('add.title')}
      description={t('add.text')}
      send={t('add.send')}
      disabled={text.trim() === ''}
      busy={isPending}
      onSend={() => mutate()}
      onClose={onClose}
    >
      <Field label={t('fact')} error={error ? refusalText(t, error) : undefined}>
        <Input
          autoFocus
          maxLength={MAX_FACT}
          placeholder={t('add.example')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      {projects.length > 0 && (
        <Field label={t('told_in')}>
          <Select
            value={projectId}
            onValueChange={setProject}
            options={[
              { value: '', label: t('all_chats') },
              ...projects.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Field>
      )}
    </FormDialog>
  )
}
