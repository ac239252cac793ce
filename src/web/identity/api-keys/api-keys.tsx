import { useInfiniteQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { listApiKeys } from '#shared/identity/api-keys/api-keys.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { ConnectedPrograms } from './connected-programs.tsx'
import { KeyList } from './key-list.tsx'
import { NewKey } from './new-key.tsx'

/** API keys that let other programs act for the user. */
export function ApiKeysTab() {
  const { t } = useTranslation('programs')
  const [isCreating, setCreating] = useState(false)
  const keys = useInfiniteQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal, pageParam }) => call(listApiKeys, { query: { page: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ has_more }, pages) => (has_more ? pages.length + 1 : undefined),
  })
  const items = keys.data?.pages.flatMap((page) => page.items) ?? []
  const read = () => void keys.refetch()
  return (
    <div className="in-order grid gap-5">
      <header className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-16 font-semibold">{t('keys.title')}</h2>
          <p className="mt-1 text-13 leading-[19px] text-ink-3">{t('keys.reason')}</p>
        </div>
        <Button
          variant="primary"
          icon={<Plus aria-hidden className="icon" />}
          onClick={() => setCreating(true)}
        >
          {t('keys.create')}
        </Button>
      </header>
      {keys.isPending && (
        <Delayed>
          <Skeleton className="h-14 rounded-card" />
        </Delayed>
      )}
      {keys.isError && (
        <Callout
          tone="danger"
          title={t('keys.load_failed')}
          action={
            <Button size="sm" onClick={read}>
              {t('keys.retry')}
            </Button>
          }
        >
          {errorText(t, keys.error)}
        </Callout>
      )}
      {keys.isSuccess && items.length === 0 && (
        <EmptyState icon={<KeyRound aria-hidden className="icon" />} title={t('keys.empty')}>
          {t('keys.empty_text')}
        </EmptyState>
      )}
      {items.length > 0 && <KeyList items={items} onChanged={read} />}
      {keys.hasNextPage && (
        <Button
          className="justify-self-start"
          busy={keys.isFetchingNextPage}
          onClick={() => void keys.fetchNextPage()}
        >
          {t('keys.older')}
        </Button>
      )}
      <ConnectedPrograms />
      {isCreating && <NewKey onMade={read} onClose={() => setCreating(false)} />}
    </div>
  )
}
