import type { Connector } from '#shared/knowledge/connectors/connectors.ts'
import { formatCost, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { timeText } from '../connector-words.ts'

/** Counts of a connector compared with its source, its size, and its last and next sync. */
export function ConnectorFigures({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { listed, read, refused, documents_waiting, documents_failed, bytes, embedding_cost } = connector
  const { last_sync_at, next_sync_at, state, notifications } = connector
  const figures: [string, string][] = [
    [t('figures.listed'), formatNumber(listed)],
    [t('figures.read'), formatNumber(read)],
    [t('figures.refused'), formatNumber(refused)],
    [t('figures.waiting'), formatNumber(documents_waiting)],
    [t('figures.failed'), formatNumber(documents_failed)],
    [t('figures.size'), sizeText(t, bytes)],
    [t('figures.cost'), formatCost(embedding_cost)],
  ]
  const next = next_sync_at ? t('next_at', { time: timeText(next_sync_at) }) : t(`waits.${state}`)
  return (
    <section aria-label={t('figures.title')}>
      <div className="overflow-hidden rounded-card border border-line">
        <dl className="-mr-px -mb-px grid grid-cols-[repeat(auto-fit,minmax(128px,1fr))]">
          {figures.map(([name, value]) => (
            <div
              key={name}
              className="flex flex-col-reverse justify-end border-r border-b border-line px-4 py-3"
            >
              <dt className="text-12 text-ink-3">{name}</dt>
              <dd className="num text-18 font-semibold tracking-[-0.02em]">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className="num mt-2 flex flex-wrap gap-x-3 text-12 text-ink-3">
        <span>{last_sync_at ? t('last', { time: timeText(last_sync_at) }) : t('never_synced')}</span>
        <span>{state === 'working' ? t('syncs_now') : next}</span>
        {notifications !== 'none' && <span>{t(`notifications.${notifications}`)}</span>}
      </p>
    </section>
  )
}
