import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { listOwnBudgets, type OwnBudget } from '#shared/money/budgets/budgets.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { formatAmount } from '../../platform/lib/money.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { PageTurns } from './page-turns.tsx'

/** Budgets that limit the user, with the remaining amounts. Renders nothing without budgets. */
export function OwnBudgets() {
  const { t } = useTranslation('common')
  const [page, setPage] = useState(1)
  const { data, error } = useQuery({
    queryKey: ['own-budgets', page],
    queryFn: ({ signal }) => call(listOwnBudgets, { query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
    refetchInterval: 15_000,
  })
  if (error && !data)
    return (
      <Callout tone="danger" title={t('billing.budgets.failed')}>
        {errorText(t, error)}
      </Callout>
    )
  if (!data || data.total === 0) return null
  return (
    <section aria-labelledby="own-budgets">
      <h2 id="own-budgets" className="mb-2.5 text-13 font-semibold">
        {t('billing.budgets.title')}
      </h2>
      <ul className="rounded-card border border-line text-13">
        {data.items.map((budget) => (
          <BudgetRow key={`${budget.id} ${budget.is_own}`} budget={budget} />
        ))}
      </ul>
      {(page > 1 || data.has_more) && (
        <PageTurns label={t('billing.budgets.title')} page={page} hasMore={data.has_more} onPage={setPage} />
      )}
    </section>
  )
}

function BudgetRow({ budget }: { budget: OwnBudget }) {
  const { t } = useTranslation('common')
  const { amount, spent, is_own } = budget
  return (
    <li className="num flex flex-wrap items-center gap-3 border-b border-line px-3.5 py-2 last:border-0">
      <span className="min-w-52 flex-1">
        {nameOf(budget, t)}
        {is_own && <span className="ml-2 text-12 text-ink-3">{t('billing.budgets.yours')}</span>}
        {spent !== null && <Used share={amount > 0 ? Math.min(1, spent / amount) : 1} />}
      </span>
      <span className="text-ink-2">
        <RestText budget={budget} />
      </span>
      {is_own && (
        <Link to="/user/{-$tab}" params={{ tab: 'keys' }} className="text-accent">
          {t('billing.budgets.raise')}
        </Link>
      )}
    </li>
  )
}

/** Bar of the spent share. The adjacent text states the same value. */
function Used({ share }: { share: number }) {
  return (
    <span aria-hidden className="mt-1 block h-1 rounded-pill bg-surface-3">
      <span className="block h-full rounded-pill bg-accent" style={{ width: `${share * 100}%` }} />
    </span>
  )
}

/** Remaining amount of a budget and the end of its period. */
function RestText({ budget: { amount, spent, until } }: { budget: OwnBudget }) {
  const { t, i18n } = useTranslation('common')
  const dollars = (value: number) => formatAmount(value, i18n.language)
  if (spent === null || until === null) return t('billing.budgets.each_reply', { amount: dollars(amount) })
  const time = formatDate(until, { dateStyle: 'medium', timeStyle: 'short' })
  const left = amount - spent
  return left > 0
    ? t('billing.budgets.left', { left: dollars(left), amount: dollars(amount), until: time })
    : t('billing.budgets.used_up', { amount: dollars(amount), until: time })
}

function nameOf({ kind, name }: OwnBudget, t: TFunction): string {
  if (kind === 'user') return t('billing.budgets.mine')
  return t(kind === 'key' ? 'billing.budgets.key' : 'billing.budgets.assistant', { name })
}
