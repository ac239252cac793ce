import { Archive } from 'lucide-react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useArchive } from './use-lifecycle.ts'

/** Says that a project is archived. Managers restore it here. */
export function ArchivedCallout({ project }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const { mutate, isPending } = useArchive(project.id)
  const restore = () => mutate(false, { onError: (error) => void toast.error(errorText(t, error)) })
  return (
    <Callout
      tone="warning"
      icon={Archive}
      title={t('archive.state')}
      action={
        project.role === 'manager' && (
          <Button size="sm" busy={isPending} onClick={restore}>
            {t('archive.restore')}
          </Button>
        )
      }
    >
      {t('archive.state_text')}
    </Callout>
  )
}
