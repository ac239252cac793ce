import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { getBilling } from '#shared/money/billing/billing.ts'
import { PAYMENT_MADE } from '#shared/money/payments/payments.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { pollEvery } from '../../platform/lib/api/query-client.ts'
import { refetchMe } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { BalanceCard } from './balance-card.tsx'
import { OwnBudgets } from './own-budgets.tsx'
import { PaymentNote } from './payment-note.tsx'
import { PaymentsList } from './payments-list.tsx'
import { UsageCard, useUsage } from './usage-card.tsx'
import { UsageList } from './usage-list.tsx'
import { spanOf } from './usage-period.ts'
import { UsageTools } from './usage-tools.tsx'
import { usePayments } from './use-payments.ts'
import { useUsageFilter } from './use-usage-filter.ts'

export { modelText } from './model-text.ts'
export { TopUpForm } from './top-up-form.tsx'
export { roundScale } from './usage-period.ts'

const LIMIT = 50

/** Billing tab of a user: balance, usage in a period, and the ledger by day, 50 entries per page. */
export function BillingTab({ user }: { user: User }) {
  const { t } = useTranslation('common')
  const [page, setPage] = useState(1)
  const { filter, change } = useUsageFilter()
  const span = spanOf(filter.period, new Date())
  const query = {
    ...(span.from && { from: span.from.toISOString() }),
    ...(span.to && { to: span.to.toISOString() }),
    ...(filter.kind && { kind: filter.kind }),
    ...(filter.model && { model: filter.model }),
  }
  const usage = useUsage(span, filter.model)
  const billing = useQuery({
    queryKey: ['billing', page, query],
    queryFn: ({ signal }) => call(getBilling, { query: { page, limit: LIMIT, ...query }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: () => pollEvery(15_000),
  })
  const payments = usePayments()
  const { payment } = useSearch({ strict: false }) as { payment?: unknown }
  const choose = (part: Partial<typeof filter>) => {
    setPage(1)
    change(part)
  }
  const refresh = () => {
    void billing.refetch()
    void refetchMe()
  }
  // Wait for all three queries: a late one would push the others down.
  if (billing.isPending || usage.isPending || payments.isPending) return <BillingSkeleton />
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
      {enabled && payment === PAYMENT_MADE && <PaymentNote />}
      {!enabled && <Callout title={`${t('billing.off_title')}.`}>{t('billing.off_text')}</Callout>}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] lg:[&>:only-child]:col-span-2">
        {enabled && balance !== null && (
          <BalanceCard
            user={user}
            balance={balance}
            spentThisMonth={this_month.amount}
            onToppedUp={refresh}
          />
        )}
        <UsageCard
          usage={usage}
          span={span}
          period={filter.period}
          model={filter.model}
          onPeriod={(period) => choose({ period })}
        />
      </div>
      <OwnBudgets />
      <section aria-labelledby="usage">
        <div className="mb-2.5 flex flex-wrap items-center justify-between gap-2">
          <h2 id="usage" className="text-13 font-semibold">
            {t('billing.usage')}
            {enabled && <span className="ml-2 text-12 font-regular text-ink-3">{t('billing.adds_up')}</span>}
          </h2>
          <UsageTools filter={filter} query={query} models={usage.data?.models ?? []} onChange={choose} />
        </div>
        <UsageList
          items={items}
          total={total}
          page={billing.data.page}
          limit={LIMIT}
          hasMore={has_more}
          hasBalance={billing.data.balance !== null}
          isFiltered={Object.keys(query).length > 0}
          onPage={setPage}
        />
      </section>
      {enabled && <PaymentsList />}
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
