import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { User } from '#shared/accounts/accounts.ts'
import { getBilling } from '#shared/billing/billing.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { call } from '../lib/call.ts'
import { refetchMe } from '../lib/me.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Delayed, Skeleton } from '../ui/skeleton.tsx'
import { BalanceCard } from './balance-card.tsx'
import { MonthCard } from './month-card.tsx'
import { UsageList } from './usage-list.tsx'

export { formatCount, formatPrice, parseDecimal } from './money.ts'

const LIMIT = 50

/** The billing tab of a person: balance, this month, and the ledger by day, 50 entries a page. */
export function BillingTab({ user }: { user: User }) {
  const { t } = useTranslation('common')
  const [page, setPage] = useState(1)
  const billing = useQuery({
    queryKey: ['billing', page],
    queryFn: ({ signal }) => call(getBilling, { query: { page, limit: LIMIT }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })
  const refresh = () => {
    void billing.refetch()
    void refetchMe()
  }
  if (billing.isPending) return <BillingSkeleton />
  if (billing.isError && !billing.data)
    return (
      <Callout
        tone="danger"
        title={t('billing.failed')}
        action={
          <Button size="sm" onClick={() => void billing.refetch()}>
            {t('billing.retry')}
          </Button>
        }
      >
        {errorText(t, billing.error)}
      </Callout>
    )
  const { enabled, balance, items, total, has_more, this_month } = billing.data
  return (
    <div className="grid gap-5">
      {!enabled && <Callout title={`${t('billing.off_title')}.`}>{t('billing.off_text')}</Callout>}
      <div className="grid gap-4 md:grid-cols-2">
        {enabled && balance !== null && (
          <BalanceCard
            user={user}
            balance={balance}
            spentThisMonth={this_month.amount}
            onToppedUp={refresh}
          />
        )}
        <MonthCard month={this_month} />
      </div>
      <section aria-labelledby="usage">
        <h2 id="usage" className="mb-2.5 text-13 font-semibold">
          {t('billing.usage')}
          {enabled && <span className="ml-2 text-12 font-regular text-ink-3">{t('billing.adds_up')}</span>}
        </h2>
        <UsageList
          items={items}
          total={total}
          page={billing.data.page}
          limit={LIMIT}
          hasMore={has_more}
          onPage={setPage}
        />
      </section>
    </div>
  )
}

function BillingSkeleton() {
  const { t } = useTranslation('common')
  return (
    <div role="status" className="grid gap-5">
      <span className="sr-only">{t('billing.loading')}</span>
      <Delayed>
        <div className="grid gap-4 md:grid-cols-2">
          <Skeleton className="h-44 rounded-card" />
          <Skeleton className="h-44 rounded-card" />
        </div>
        <Skeleton className="h-80 rounded-card" />
      </Delayed>
    </div>
  )
}
