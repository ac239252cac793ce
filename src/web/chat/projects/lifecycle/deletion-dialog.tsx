import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Fate } from '#shared/chat/project-lifecycle/project-lifecycle.ts'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { useMembers } from '../page/use-members.ts'
import { useContents, useDeletion } from './use-lifecycle.ts'

const counted = ['chats', 'documents', 'schedules', 'facts', 'members'] as const

/** Shows what a project contains, and asks what happens to its chats and documents. */
export function DeletionDialog({ project, onClose }: { project: ProjectDetails; onClose: () => void }) {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const { data } = useContents(project.id)
  const { data: members } = useMembers(project.id)
  const [chats, setChats] = useState<Fate>('keep')
  const [documents, setDocuments] = useState<Fate>('keep')
  const [memberId, setMemberId] = useState('')
  const { mutateAsync, isPending, error } = useDeletion(project.id)
  const people = members?.items.filter(({ who }) => who === 'person') ?? []
  const isHandedOver = chats === 'hand_over' || documents === 'hand_over'
  const isMissing = isHandedOver && memberId === ''
  const remove = async () => {
    try {
      await mutateAsync({ chats, documents, member_id: isHandedOver ? memberId : null })
    } catch {
      return
    }
    await navigate({ to: '/' })
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t('delete.title', { name: project.name })}
      description={t('delete.text')}
      footer={
        <>
          <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
          <Button
            variant="danger"
            busy={isPending}
            disabled={isMissing || !data}
            onClick={() => void remove()}
          >
            {t('delete.button')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 pt-3">
        {!data && <Skeletons sizes={['h-16 w-full']} />}
        {data && (
          <dl className="grid grid-cols-5 gap-2 rounded-card bg-surface-2 px-3 py-2.5 max-md:grid-cols-3">
            {counted.map((what) => (
              <div key={what} className="flex min-w-0 flex-col-reverse">
                <dt className="truncate text-12 text-ink-3">{t(`delete.count.${what}`)}</dt>
                <dd className="num text-16 font-semibold">{data[what]}</dd>
              </div>
            ))}
          </dl>
        )}
        <Field label={t('delete.chats')} hint={t(`delete.chats_${chats}`)}>
          <Select
            value={chats}
            options={Fate.options.map((value) => ({ value, label: t(`delete.fate.${value}`) }))}
            onValueChange={(value) => setChats(Fate.parse(value))}
          />
        </Field>
        <Field label={t('delete.documents')} hint={t(`delete.documents_${documents}`)}>
          <Select
            value={documents}
            options={Fate.options.map((value) => ({ value, label: t(`delete.fate.${value}`) }))}
            onValueChange={(value) => setDocuments(Fate.parse(value))}
          />
        </Field>
        {isHandedOver && (
          <Field label={t('delete.heir')}>
            <Select
              value={memberId}
              options={[
                { value: '', label: t('delete.choose') },
                ...people.map(({ recipient_id, name }) => ({ value: recipient_id, label: name })),
              ]}
              onValueChange={setMemberId}
            />
          </Field>
        )}
        {data !== undefined && data.private_chats > 0 && (
          <Callout>{t('delete.private', { count: data.private_chats })}</Callout>
        )}
        {error && (
          <Callout tone="danger" title={t('failed.delete')}>
            {errorText(t, error)}
          </Callout>
        )}
      </div>
    </Dialog>
  )
}
