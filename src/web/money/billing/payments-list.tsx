import { useState } from 'react'
import type { Payment } from '#shared/money/payments/payments.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { formatAmount } from '../../platform/lib/money.ts'
import { PageTurns } from './page-turns.tsx'
import { usePayments } from './use-payments.ts'

/** Card payments with their invoices. Renders nothing without card payments. */
export function PaymentsList() {
  const { t } = useTranslation('common')
  const [page, setPage] = useState(1)
  const { data } = usePayments(page)
  if (!data || data.total === 0) return null
  return (
    <section aria-labelledby="payments">
      <h2 id="payments" className="mb-2.5 text-13 font-semibold">
        {t('billing.pay.payments')}
      </h2>
      <ul className="rounded-card border border-line text-13">
        {data.items.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} />
        ))}
      </ul>
      {(page > 1 || data.has_more) && (
        <PageTurns label={t('billing.pay.payments')} page={page} hasMore={data.has_more} onPage={setPage} />
      )}
    </section>
  )
}

function PaymentRow({ payment }: { payment: Payment }) {
  const { t, i18n } = useTranslation('common')
  const { state, amount, created_at, paid_at, invoice_number, invoice_url } = payment
  return (
    <li className="num flex flex-wrap items-center gap-3 border-b border-line px-3.5 py-2 last:border-0">
      <span className="text-ink-2">{formatDate(paid_at ?? created_at, { dateStyle: 'medium' })}</span>
      <span className="flex-1">{t(`billing.pay.state.${state}`)}</span>
      {invoice_url && (
        <a href={invoice_url} target="_blank" rel="noopener noreferrer" className="text-accent">
          {t('billing.pay.invoice', { number: invoice_number ?? '' })}
        </a>
      )}
      <span className="font-medium">{formatAmount(amount, i18n.language)}</span>
    </li>
  )
}
