import { useMutation, useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { listLinks, revokeLink, type ShareLink } from '#shared/chat/shares/shares.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { CopyButton } from '../../platform/ui/copy-button.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'

/** Active links: all of the person's, or those of a chat. */
export function LinkList({ sessionId, newId }: { sessionId?: string; newId?: string | null }) {
  const { t } = useTranslation('exports')
  const query = sessionId === undefined ? { limit: 100 } : { session_id: sessionId, limit: 100 }
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ['links', sessionId ?? 'all'],
    queryFn: ({ signal }) => call(listLinks, { query, signal }),
  })
  if (isPending)
    return (
      <Delayed>
        <Skeleton className="h-14 rounded-card" />
      </Delayed>
    )
  if (error)
    return (
      <Callout
        tone="danger"
        title={t('links.load_failed')}
        action={
          <Button size="sm" onClick={() => void refetch()}>
            {t('list.retry')}
          </Button>
        }
      >
        {errorText(t, error)}
      </Callout>
    )
  if (data.items.length === 0)
    return sessionId === undefined ? <p className="text-13 text-ink-3">{t('links.empty')}</p> : null
  return (
    <>
      <ul className="divide-y divide-line rounded-card border border-line">
        {data.items.map((link) => (
          <LinkRow key={link.id} link={link} isNew={link.id === newId} isNamed={sessionId === undefined} />
        ))}
      </ul>
      {data.total > data.items.length && (
        <p className="mt-2 text-13 text-ink-3">
          {t('links.more', { count: data.total - data.items.length })}
        </p>
      )}
    </>
  )
}

type LinkRowProps = { link: ShareLink; isNew: boolean; isNamed: boolean }

function LinkRow({ link, isNew, isNamed }: LinkRowProps) {
  const { t } = useTranslation('exports')
  const revoking = useMutation({
    mutationFn: () => call(revokeLink, { params: { linkId: link.id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['links'] }),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5 pr-3 pl-3.5">
      <Link2 aria-hidden className="icon text-ink-3" />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-13 font-medium">
          {isNamed ? link.title : link.url.replace(/^https?:\/\//, '')}
          {isNew && <span className="ml-2 text-12 text-accent">{t('links.new')}</span>}
        </p>
        <p className="text-12 text-ink-3">
          {revoking.error ? errorText(t, revoking.error) : describeLink(link, t)}
        </p>
      </div>
      <CopyButton read={() => link.url} name={t('links.copy')} />
      <Button variant="danger-ghost" busy={revoking.isPending} onClick={() => revoking.mutate()}>
        {t('links.revoke')}
      </Button>
    </li>
  )
}

function describeLink({ messages, created_at, expires_at, files, views }: ShareLink, t: TFunction): string {
  const day = (iso: string) => formatDate(iso, { day: 'numeric', month: 'long' })
  return [
    t('links.messages', { count: messages, date: day(created_at) }),
    files > 0 ? t('links.files', { count: files }) : null,
    expires_at ? t('links.until', { date: day(expires_at) }) : t('links.no_end'),
    t('links.views', { count: views }),
  ]
    .filter((part) => part !== null)
    .join(' · ')
}
