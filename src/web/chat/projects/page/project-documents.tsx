import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { listWorkspaceDocuments } from '#shared/knowledge/workspaces/workspaces.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { SectionHead } from './section-head.tsx'

const SHOWN = 5

/** The newest documents of a project, with a link to its library. */
export function ProjectDocuments({ project: { id } }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const { data } = useQuery({
    queryKey: ['documents', 'project', id],
    queryFn: ({ signal }) =>
      call(listWorkspaceDocuments, { params: { workspaceId: id }, query: { limit: SHOWN }, signal }),
  })
  return (
    <section>
      <SectionHead title={t('documents.title')} note={data ? String(data.total) : ''}>
        <Link
          to={`/documents/workspace/${id}` as '/documents'}
          className="text-13 text-accent hover:underline"
        >
          {t('documents.open')}
        </Link>
      </SectionHead>
      {!data && <Skeletons sizes={['h-24 w-full']} />}
      {data && (
        <ul
          aria-label={t('documents.title')}
          className="divide-y divide-line overflow-hidden rounded-card border border-line"
        >
          {data.items.map((document) => (
            <li
              key={document.id}
              className="relative flex min-h-12 items-center gap-3 px-3.5 py-2 hover-motion hover:bg-surface"
            >
              <FileText aria-hidden className="icon flex-none text-ink-3" />
              <Link
                to={`/documents/workspace/${id}/preview/${document.id}` as '/documents'}
                dir="auto"
                className="min-w-0 flex-1 truncate text-13 font-medium after:absolute after:inset-0"
              >
                {document.name}
              </Link>
              <span className="flex-none text-12 text-ink-3">
                {formatDate(document.created_at, { day: 'numeric', month: 'short' })}
              </span>
            </li>
          ))}
          {data.total === 0 && <li className="px-4 py-3.5 text-13 text-ink-2">{t('documents.none')}</li>}
        </ul>
      )}
    </section>
  )
}
