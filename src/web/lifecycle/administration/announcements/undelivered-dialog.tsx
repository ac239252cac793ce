import { useState } from 'react'
import { UNDELIVERED_LIMIT } from '#shared/identity/announcements/announcement-mails.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useUndelivered } from './use-announcements.ts'

/** The people whose mail failed or is uncertain, with the mail server's reply. */
export function UndeliveredDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useUndelivered(id, page)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('announcements.mails.title')}>
      <p className="mb-3 text-13 text-ink-2">{t('announcements.mails.hint')}</p>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-10', 'h-10']} />}
      {error && !data && <ReadFailed error={error} onRetry={refetch} />}
      <ul className="divide-y divide-line">
        {data?.items.map(({ user_id, name, email, state, said }) => (
          <li key={user_id} className="py-2 text-13">
            <span className="block font-medium">{name}</span>
            <span className="block text-12 text-ink-3 break-words">
              {email} · {t(`announcements.mails.state.${state}`)}
            </span>
            {said && <span className="block font-mono text-12 break-words">{said}</span>}
          </li>
        ))}
      </ul>
      {data && (
        <Pages
          page={page}
          limit={UNDELIVERED_LIMIT}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
    </Dialog>
  )
}
