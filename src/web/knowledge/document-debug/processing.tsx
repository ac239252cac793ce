import type { ProcessingInfo } from '#shared/knowledge/documents/documents.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'

const times = ['parse_time', 'chunking_time', 'embedding_time'] as const

/** How a document was processed, and the share of time of each step. */
export function Processing({ info }: { info: ProcessingInfo }) {
  const { t } = useTranslation('vectors')
  const total = times.reduce((sum, name) => sum + (info[name] ?? 0), 0)
  return (
    <section aria-label={t('chunks.processing')} className="grid content-start gap-4">
      <h2 className="text-12 font-medium text-ink-2">{t('chunks.processing')}</h2>
      <dl className="grid gap-1.5 text-13">
        {(['processing_pipeline', 'chunking_strategy', 'embedding_model'] as const).map((name) => (
          <div key={name} className="flex items-baseline gap-3">
            <dt className="flex-none font-mono text-12 text-ink-2">{name}</dt>
            <dd className="min-w-0 flex-1 text-right break-words">{info[name] ?? '–'}</dd>
          </div>
        ))}
      </dl>
      <dl className="grid gap-2.5 border-t border-line pt-4 text-13">
        {times.map((name) => (
          <div key={name} className="grid grid-cols-[104px_minmax(0,1fr)_52px] items-center gap-2.5">
            <dt className="font-mono text-12 text-ink-2">{name}</dt>
            <dd aria-hidden className="h-1 overflow-hidden rounded-full bg-surface-3">
              <span
                className="block h-full rounded-full bg-accent"
                style={{ width: `${total === 0 ? 0 : (100 * (info[name] ?? 0)) / total}%` }}
              />
            </dd>
            <dd className="num text-right">
              {info[name] === null ? '–' : t('chunks.seconds', { seconds: formatNumber(info[name]) })}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
