import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { listWebhooks } from '#shared/api/webhooks/webhooks.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookList } from './webhook-list.tsx'

/** Webhooks of the user and of the companies they administer. */
export function Webhooks() {
  const { t } = useTranslation('programs')
  const [isCreating, setCreating] = useState(false)
  const hooks = useInfiniteQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal, pageParam }) => call(listWebhooks, { query: { skip: pageParam }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const read = pages.reduce((sum, { items }) => sum + items.length, 0)
      return read < total ? read : undefined
    },
  })
  const items = hooks.data?.pages.flatMap((page) => page.items) ?? []
  const read = () => void hooks.refetch()
  return (
    <section className="grid gap-5">
      <header className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-16 font-semibold">{t('webhooks.title')}</h2>
          <p className="mt-1 text-13 leading-[19px] text-ink-3">{t('webhooks.reason')}</p>
        </div>
        <Button icon={<Plus aria-hidden className="icon" />} onClick={() => setCreating(true)}>
          {t('webhooks.create')}
        </Button>
      </header>
      {hooks.isPending && (
        <Delayed>
          <Skeleton className="h-14 rounded-card" />
        </Delayed>
      )}
      {hooks.isError && (
        <Callout
          tone="danger"
          title={t('webhooks.load_failed')}
          action={
            <Button size="sm" onClick={read}>
              {t('keys.retry')}
            </Button>
          }
        >
          {errorText(t, hooks.error)}
        </Callout>
      )}
      {hooks.isSuccess && items.length === 0 && (
        <EmptyState icon={<WebhookIcon aria-hidden className="icon" />} title={t('webhooks.empty')}>
          {t('webhooks.empty_text')}
        </EmptyState>
      )}
      {items.length > 0 && <WebhookList items={items} onChanged={read} />}
      {hooks.hasNextPage && (
        <Button
          className="justify-self-start"
          busy={hooks.isFetchingNextPage}
          onClick={() => void hooks.fetchNextPage()}
        >
          {t('webhooks.older')}
        </Button>
      )}
      {isCreating && <WebhookForm onSaved={read} onClose={() => setCreating(false)} />}
    </section>
  )
}
