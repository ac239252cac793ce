import { Eye } from 'lucide-react'
import { useState } from 'react'
import { ACCESSES_LIMIT, type ChatAccess } from '#shared/chat/chat-access/chat-access.ts'
import { formatDate, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { OpenedChats } from './opened-chats.tsx'
import { useAccesses, useCloseChats } from './use-chat-access.ts'

/** Accesses of administrators to users' chats, with reason and expiry. Administrators read chats under their own active accesses here. */
export function AccessesPage() {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<ChatAccess | null>(null)
  const { data, error, isPending, refetch } = useAccesses(page)
  if (opened) return <OpenedChats access={opened} onBack={() => setOpened(null)} />
  return (
    <>
      <div className="admin-head">
        <h2>{t('administration.page.accesses')}</h2>
        {data && <span className="num text-14 text-ink-3">{formatNumber(data.total)}</span>}
      </div>
      <p className="mb-4 text-13 text-ink-2">{t('administration.accesses.intro')}</p>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.total === 0 && (
        <EmptyState icon={<Eye aria-hidden />} title={t('administration.accesses.empty')}>
          {t('administration.accesses.empty_hint')}
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ul className="admin-card divide-y divide-line">
          {data.items.map((access) => (
            <AccessRow key={access.id} access={access} onRead={() => setOpened(access)} />
          ))}
        </ul>
      )}
      {data && (
        <Pages
          page={page}
          limit={ACCESSES_LIMIT}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
    </>
  )
}

function AccessRow({ access, onRead }: { access: ChatAccess; onRead: () => void }) {
  const { t } = useTranslation('admin')
  const closing = useCloseChats()
  return (
    <li className="flex flex-wrap items-center gap-3 py-2 pr-2 pl-4">
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2 font-medium">
          {access.person.name}
          {access.is_open && <Badge tone="warning">{t('administration.accesses.is_open')}</Badge>}
        </span>
        <span className="block text-13 text-ink-2">{access.reason}</span>
        <span className="num block text-12 text-ink-3">
          {t('administration.accesses.facts', {
            admin: access.admin_name,
            from: formatDate(access.created_at),
            until: formatDate(access.expires_at),
          })}{' '}
          {t('administration.accesses.read_count', {
            count: access.chats_read,
            shown: formatNumber(access.chats_read),
          })}
        </span>
      </span>
      {access.is_open && (
        <>
          <Button size="sm" onClick={onRead}>
            {t('administration.accesses.read')}
          </Button>
          <Button size="sm" busy={closing.isPending} onClick={() => closing.mutate(access.id)}>
            {t('administration.accesses.close')}
          </Button>
        </>
      )}
    </li>
  )
}
