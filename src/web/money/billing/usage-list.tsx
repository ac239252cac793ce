import { ReceiptText } from 'lucide-react'
import type { LedgerEntry } from '#shared/money/billing/billing.ts'
import { formatDate, formatTime } from '../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { formatAmount, formatCount } from '../../platform/lib/money.ts'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { groupByDay, pageSpan, tokensOf } from './ledger-days.ts'
import { modelText } from './model-text.ts'
import { PageTurns } from './page-turns.tsx'

type UsageListProps = {
  items: LedgerEntry[]
  total: number
  page: number
  limit: number
  hasMore: boolean
  /** Whether money is counted. If so, each entry shows the balance after it. */
  hasBalance: boolean
  /** Whether a filter may hide entries. */
  isFiltered: boolean
  onPage: (page: number) => void
}

/** Ledger by day: purpose, model, amount used and cost of each entry. */
export function UsageList(props: UsageListProps) {
  const { items, total, page, limit, hasMore, hasBalance, isFiltered, onPage } = props
  const { t, i18n } = useTranslation('common')
  if (total === 0)
    return (
      <div className="rounded-card border border-line">
        <EmptyState
          icon={<ReceiptText aria-hidden />}
          title={t(isFiltered ? 'billing.no_match_title' : 'billing.empty_title')}
        >
          {t(isFiltered ? 'billing.no_match_text' : 'billing.empty_text')}
        </EmptyState>
      </div>
    )
  const count = (value: number) => formatCount(value, i18n.language)
  const span = pageSpan(page, limit, items.length)
  return (
    <>
      <div className="overflow-x-auto rounded-card border border-line">
        <table className="w-full border-collapse text-13 [&>tbody:last-child>tr:last-child]:border-0">
          <thead>
            <tr className="border-b border-line text-left text-12 text-ink-2 [&>th]:px-3.5 [&>th]:py-2 [&>th]:font-medium">
              <th scope="col" className="w-20">
                {t('billing.columns.time')}
              </th>
              <th scope="col">{t('billing.columns.entry')}</th>
              <th scope="col" className="max-md:hidden">
                {t('billing.columns.model')}
              </th>
              <th scope="col" className="text-right max-md:hidden">
                {t('billing.columns.tokens')}
              </th>
              <th scope="col" className="text-right">
                {t('billing.columns.amount')}
              </th>
              {hasBalance && (
                <th scope="col" className="text-right max-md:hidden">
                  {t('billing.columns.balance')}
                </th>
              )}
            </tr>
          </thead>
          {groupByDay(items).map((day) => (
            <tbody key={day.key}>
              <tr className="border-b border-line bg-surface">
                <th
                  scope="rowgroup"
                  colSpan={hasBalance ? 6 : 5}
                  className="px-3.5 py-1.5 text-left text-12 font-medium text-ink-2"
                >
                  {dayName(day.entries[0]?.created_at ?? day.key)}
                </th>
              </tr>
              {day.entries.map((entry) => (
                <EntryRow key={entry.id} entry={entry} hasBalance={hasBalance} />
              ))}
            </tbody>
          ))}
        </table>
      </div>
      <PageTurns label={t('billing.pages')} page={page} hasMore={hasMore} onPage={onPage}>
        {t('billing.page_span', { first: count(span.first), last: count(span.last), total: count(total) })}
      </PageTurns>
    </>
  )
}

function EntryRow({ entry, hasBalance }: { entry: LedgerEntry; hasBalance: boolean }) {
  const { t, i18n } = useTranslation('common')
  const words = wordsOf(t, entry)
  const tokens = tokensOf(entry)
  const model = entry.model_name && modelText(entry.model_name, t)
  const balance = hasBalance ? formatAmount(entry.balance, i18n.language) : ''
  const tokenText = tokens === null ? '' : formatCount(tokens, i18n.language)
  return (
    <tr className="border-b border-line [&>td]:px-3.5 [&>td]:py-[9px] [&>td]:align-top">
      <td className="num whitespace-nowrap text-ink-2">{formatTime(entry.created_at)}</td>
      <td className="min-w-0">
        <span className="font-medium [overflow-wrap:anywhere]">{words.title}</span>
        {words.detail && <span className="block text-12 text-ink-3">{words.detail}</span>}
        <span className="num block text-12 text-ink-3 md:hidden">
          {[model, tokenText].filter(Boolean).join(' · ')}
        </span>
      </td>
      <td className="text-ink-2 [overflow-wrap:anywhere] max-md:hidden">{model}</td>
      <td className="num text-right whitespace-nowrap text-ink-2 max-md:hidden">
        {tokenText}
        {entry.estimated && <span className="block text-12 text-ink-3">{t('billing.estimated')}</span>}
      </td>
      <td className="num text-right whitespace-nowrap">
        {entry.unpriced ? (
          <span className="text-ink-3">{t('billing.unpriced')}</span>
        ) : (
          <span className={entry.amount > 0 ? 'font-medium text-success' : undefined}>
            {formatAmount(entry.amount, i18n.language, { isSigned: true })}
          </span>
        )}
        {balance && <span className="block text-12 text-ink-3 md:hidden">{balance}</span>}
      </td>
      {hasBalance && <td className="num text-right whitespace-nowrap text-ink-2 max-md:hidden">{balance}</td>}
    </tr>
  )
}

/** Reasons the server writes for its own entries. The entry's kind has a translation of the same text. */
const ownReasons = ['Top-up', 'Starting balance']

/** Describes an entry: its chat, kind or work, followed by any other known details. */
function wordsOf(
  t: TFunction,
  { kind, reason, session_title }: LedgerEntry,
): { title: string; detail: string } {
  const work = reason ? t(`billing.reasons.${reason}`, { defaultValue: reason }) : ''
  if (kind === 'usage')
    return { title: session_title || work || t('billing.kinds.usage'), detail: session_title ? work : '' }
  const detail = kind === 'absorbed' ? (session_title ?? '') : ownReasons.includes(reason) ? '' : work
  return { title: t(`billing.kinds.${kind}`), detail }
}

function dayName(timestamp: string): string {
  return formatDate(timestamp, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
}
