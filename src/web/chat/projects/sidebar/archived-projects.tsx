import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listProjects } from '#shared/chat/projects/projects.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ProjectLook } from '../looks.tsx'
import { projectsKey } from '../use-projects.ts'

/** The archived projects of the person, to open and restore them. */
export function ArchivedProjects({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('projects')
  const { data } = useQuery({
    queryKey: [...projectsKey, 'archived'],
    queryFn: ({ signal }) => call(listProjects, { query: { archived: 'true' }, signal }),
  })
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} size="sm" title={t('archive.list')}>
      {!data && <Skeletons sizes={['h-10 w-full', 'h-10 w-full']} />}
      {data?.items.length === 0 && <p className="text-13 text-ink-2">{t('archive.none')}</p>}
      {data && data.items.length > 0 && (
        <ul
          aria-label={t('archive.list')}
          className="divide-y divide-line rounded-card border border-line text-13"
        >
          {data.items.map((project) => (
            <li key={project.id}>
              <Link
                to="/project/$projectId/{-$tab}"
                params={{ projectId: project.id, tab: undefined }}
                onClick={onClose}
                className="flex min-h-10 items-center gap-2.5 px-3.5 py-1.5 hover-motion hover:bg-surface max-md:min-h-11"
              >
                <ProjectLook {...project} />
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {project.name}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
