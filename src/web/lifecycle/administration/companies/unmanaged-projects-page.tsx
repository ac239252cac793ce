import { FolderKanban } from 'lucide-react'
import { useState } from 'react'
import {
  UNMANAGED_PER_PAGE,
  type UnmanagedProject,
} from '#shared/chat/project-lifecycle/project-lifecycle.ts'
import { RecipientSearch } from '../../../identity/sharing/sharing.tsx'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useNaming, useUnmanagedProjects } from './use-unmanaged.ts'

/** Projects whose last manager left. An administrator names the next one here, and does not read the project. */
export function UnmanagedProjectsPage() {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<UnmanagedProject | null>(null)
  const { data, error, isPending, refetch } = useUnmanagedProjects(page)
  return (
    <>
      <div className="admin-head">
        <h2>{t('unmanaged.heading')}</h2>
        {data && <span className="num text-14 text-ink-3">{formatNumber(data.total)}</span>}
      </div>
      <p className="mb-4 text-13 text-ink-2">{t('unmanaged.intro')}</p>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.total === 0 && (
        <EmptyState icon={<FolderKanban aria-hidden />} title={t('unmanaged.none')}>
          {t('unmanaged.none_hint')}
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ul aria-label={t('unmanaged.heading')} className="admin-card divide-y divide-line">
          {data.items.map((project) => (
            <li key={project.id} className="flex flex-wrap items-center gap-3 py-2.5 pr-3 pl-4">
              <span className="min-w-0 flex-1">
                <span dir="auto" className="block truncate text-14 font-medium">
                  {project.name}
                </span>
                <span className="block text-12 text-ink-3">
                  {[project.company, t('unmanaged.members', { count: project.members })]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <Button
                size="sm"
                aria-label={t('unmanaged.name_for', { name: project.name })}
                onClick={() => setChosen(project)}
              >
                {t('unmanaged.name')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {data && (
        <Pages
          page={page}
          limit={UNMANAGED_PER_PAGE}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
      {chosen && <NameManager project={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}

function NameManager({ project, onClose }: { project: UnmanagedProject; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { mutate, error } = useNaming(project.id, onClose)
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t('unmanaged.title', { name: project.name })}
      description={t('unmanaged.text')}
    >
      <div className="grid min-h-60 content-start gap-4 pt-3">
        <RecipientSearch
          label={t('unmanaged.person')}
          kinds={['person']}
          shares={[]}
          onChoose={(recipient) => recipient.who === 'person' && mutate(recipient.id)}
        />
        {error && (
          <Callout tone="danger" title={t('unmanaged.failed')}>
            {errorText(t, error)}
          </Callout>
        )}
      </div>
    </Dialog>
  )
}
