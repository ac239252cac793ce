import { useState } from 'react'
import { type CompanyTerms, TERMS_LIMIT } from '#shared/identity/terms/terms.ts'
import { formatDate } from '../../../../platform/i18n/format.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Dialog } from '../../../../platform/ui/overlays/dialog.tsx'
import { Skeletons } from '../../../../platform/ui/states/skeleton.tsx'
import { Pages } from '../../pages.tsx'
import { ReadFailed } from '../../read-failed.tsx'
import { useAcceptances } from './use-terms.ts'

type AcceptancesDialogProps = { companyId: string; terms: CompanyTerms; onClose: () => void }

/** Shows who accepted a version and when; people who have not accepted it come first. */
export function AcceptancesDialog({ companyId, terms: { version }, onClose }: AcceptancesDialogProps) {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useAcceptances(companyId, version, page)
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      size="md"
      title={t('terms.show_one', { version })}
    >
      {isPending && <Skeletons className="grid gap-2" sizes={['h-10', 'h-10']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data && (
        <ul className="divide-y divide-line">
          {data.items.map(({ user_id, name, email, accepted_at }) => (
            <li key={user_id} className="flex flex-wrap items-baseline gap-x-4 py-2 text-13">
              <span className="min-w-0 flex-1 basis-48">
                <span className="block break-words font-medium">{name}</span>
                <span className="block break-all text-12 text-ink-3">{email}</span>
              </span>
              <span className={accepted_at ? 'text-ink-2' : 'text-ink-3'}>
                {accepted_at
                  ? formatDate(accepted_at, { dateStyle: 'long', timeStyle: 'short' })
                  : t('terms.not_accepted')}
              </span>
            </li>
          ))}
        </ul>
      )}
      {data && (
        <Pages
          page={page}
          limit={TERMS_LIMIT}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
    </Dialog>
  )
}
