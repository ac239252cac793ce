import { Archive, ArchiveRestore, Copy, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../../platform/lib/me/me.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { SettingsSection } from '../settings/settings-section.tsx'
import { DeletionDialog } from './deletion-dialog.tsx'
import { DuplicateDialog } from './duplicate-dialog.tsx'
import { useArchive } from './use-lifecycle.ts'

/** Duplicates, archives, restores and deletes a project. */
export function LifecycleSection({ project }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const [opened, setOpened] = useState<'duplicate' | 'archive' | 'delete' | null>(null)
  const { mutateAsync, isPending } = useArchive(project.id)
  const close = () => setOpened(null)
  const archive = async (isArchived: boolean) => {
    try {
      await mutateAsync(isArchived)
      void toast.success(t(isArchived ? 'archive.done' : 'archive.restored'))
    } catch (error) {
      void toast.error(errorText(t, error))
    }
    close()
  }
  const mayCreate = useIsOpen('create_project')
  const isManager = project.role === 'manager'
  return (
    <SettingsSection title={t('lifecycle.title')} text={t('lifecycle.text')}>
      <div className="flex flex-wrap gap-2">
        {mayCreate && (
          <Button icon={<Copy aria-hidden className="icon" />} onClick={() => setOpened('duplicate')}>
            {t('duplicate.button')}
          </Button>
        )}
        {isManager &&
          (project.is_archived ? (
            <Button
              busy={isPending}
              icon={<ArchiveRestore aria-hidden className="icon" />}
              onClick={() => void archive(false)}
            >
              {t('archive.restore')}
            </Button>
          ) : (
            <Button icon={<Archive aria-hidden className="icon" />} onClick={() => setOpened('archive')}>
              {t('archive.button')}
            </Button>
          ))}
        {isManager && (
          <Button
            variant="danger-ghost"
            icon={<Trash2 aria-hidden className="icon" />}
            onClick={() => setOpened('delete')}
          >
            {t('delete.button')}
          </Button>
        )}
      </div>
      {opened === 'duplicate' && <DuplicateDialog project={project} onClose={close} />}
      {opened === 'delete' && <DeletionDialog project={project} onClose={close} />}
      <ConfirmDialog
        open={opened === 'archive'}
        onOpenChange={(isOpen) => isOpen || close()}
        title={t('archive.title', { name: project.name })}
        message={t('archive.text')}
        confirmLabel={t('archive.button')}
        tone="primary"
        busy={isPending}
        onConfirm={() => void archive(true)}
      />
    </SettingsSection>
  )
}
