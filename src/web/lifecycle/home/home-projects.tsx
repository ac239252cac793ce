import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import { Folder } from 'lucide-react'
import { useId } from 'react'
import type { ProjectColour } from '#shared/chat/projects/looks.ts'
import type { PinnedProject } from '#shared/lifecycle/home/home.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'

const inks: Record<ProjectColour, string> = {
  ...{ blue: 'text-accent', green: 'text-success', amber: 'text-warning' },
  ...{ red: 'text-danger', grey: 'text-ink-2' },
}

/** The pinned projects with the number of their unread chats. */
export function HomeProjects({ projects }: { projects: readonly PinnedProject[] }) {
  const { t } = useTranslation('home')
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="flex min-h-8 items-center pb-1.5 text-14 font-semibold">
        {t('projects.title')}
      </h2>
      {projects.length === 0 ? (
        <p className="text-13 text-ink-3">{t('projects.empty')}</p>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-2">
          {projects.map((project) => (
            <li key={project.id}>
              <ProjectTile project={project} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function ProjectTile({ project: { id, name, colour, unread_count } }: { project: PinnedProject }) {
  const { t } = useTranslation('home')
  return (
    <Link
      to="/project/$projectId/{-$tab}"
      params={{ projectId: id, tab: undefined }}
      className="flex h-11 min-w-0 items-center gap-2 rounded-card border border-line px-3 text-13 font-medium hover-motion hover:bg-surface-2"
    >
      <Folder aria-hidden className={clsx('icon flex-none', inks[colour])} />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {name}
      </span>
      {unread_count > 0 && (
        <span className="num flex-none text-12 text-accent">
          <span aria-hidden>{formatNumber(unread_count)}</span>
          <span className="sr-only">{t('projects.unread', { count: unread_count })}</span>
        </span>
      )}
    </Link>
  )
}
