import { Link } from '@tanstack/react-router'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { SectionHead } from './section-head.tsx'
import { useProjectFacts } from './use-parts.ts'

/** The newest facts that the members of a project share. */
export function ProjectMemory({ project: { id } }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const { data } = useProjectFacts(id)
  return (
    <section>
      <SectionHead title={t('memory.title')} note={data ? t('memory.facts', { count: data.total }) : ''}>
        <Link to={'/memory' as '/documents'} className="text-13 text-accent hover:underline">
          {t('memory.open')}
        </Link>
      </SectionHead>
      {!data && <Skeletons sizes={['h-10 w-full']} />}
      {data && (
        <ul
          aria-label={t('memory.title')}
          className="divide-y divide-line rounded-card border border-line text-13"
        >
          {data.items.map(({ id: factId, text, told_by, learned_at }) => (
            <li key={factId} className="px-3.5 py-2.5">
              <p dir="auto" className="line-clamp-3 wrap-anywhere">
                {text}
              </p>
              <p className="text-12 text-ink-3">
                {told_by ?? t('memory.you')}, {formatDate(learned_at, { day: 'numeric', month: 'short' })}
              </p>
            </li>
          ))}
          {data.items.length === 0 && <li className="px-3.5 py-2.5 text-ink-2">{t('memory.none')}</li>}
        </ul>
      )}
    </section>
  )
}
