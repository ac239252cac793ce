import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { FormDialog } from '../../../platform/ui/overlays/form-dialog.tsx'
import { useDuplicate } from './use-lifecycle.ts'

const parts = ['documents', 'chats', 'memory'] as const
const MAX_NAME = 100

/** Asks for the name and the parts of a copy, and opens it. */
export function DuplicateDialog({ project, onClose }: { project: ProjectDetails; onClose: () => void }) {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const [id] = useState(() => crypto.randomUUID())
  const [name, setName] = useState(() => t('duplicate.name_of', { name: project.name }).slice(0, MAX_NAME))
  const [chosen, setChosen] = useState({ documents: false, chats: false, memory: false })
  const { mutateAsync, isPending, error } = useDuplicate(project.id)
  const send = async () => {
    try {
      await mutateAsync({ id, name, ...chosen })
    } catch {
      return
    }
    onClose()
    await navigate({ to: '/project/$projectId/{-$tab}', params: { projectId: id, tab: undefined } })
  }
  return (
    <FormDialog
      title={t('duplicate.title', { name: project.name })}
      description={t('duplicate.text')}
      send={t('duplicate.send')}
      disabled={name.trim() === ''}
      busy={isPending}
      onSend={() => void send()}
      onClose={onClose}
    >
      <div className="pt-3">
        <Field label={t('settings.name')}>
          <Input maxLength={MAX_NAME} value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
      </div>
      <fieldset className="grid gap-2.5">
        <legend className="pb-2 text-13 font-medium">{t('duplicate.also')}</legend>
        {parts.map((part) => (
          <Checkbox
            key={part}
            checked={chosen[part]}
            onCheckedChange={(isOn) => setChosen({ ...chosen, [part]: isOn })}
            label={t(`duplicate.${part}`)}
          />
        ))}
      </fieldset>
      {error && (
        <Callout tone="danger" title={t('failed.duplicate')}>
          {errorText(t, error)}
        </Callout>
      )}
    </FormDialog>
  )
}
