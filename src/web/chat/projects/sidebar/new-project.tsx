import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createWorkspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { setSheetOpen } from '../../../platform/lib/layout.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { FormDialog } from '../../../platform/ui/overlays/form-dialog.tsx'
import { readProjectsAgain } from '../use-projects.ts'

/** Creates a project and opens its settings. */
export function NewProject({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const send = async () => {
    setBusy(true)
    try {
      const { id } = await call(createWorkspace, { body: { name } })
      await readProjectsAgain()
      setSheetOpen(false)
      onClose()
      await navigate({ to: '/project/$projectId/{-$tab}', params: { projectId: id, tab: 'settings' } })
    } catch (failed) {
      setError(failed)
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={t('new.title')}
      description={t('new.text')}
      send={t('new.create')}
      disabled={name.trim() === ''}
      busy={isBusy}
      onSend={() => void send()}
      onClose={onClose}
    >
      <Field label={t('settings.name')}>
        <Input autoFocus maxLength={100} value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
    </FormDialog>
  )
}
