import { useTranslation } from '../../platform/i18n/i18n.ts'

/** Legend of the map. */
export function MapLegend() {
  const { t } = useTranslation('streaming_blocks')
  const item = 'inline-flex items-center gap-1.5'
  return (
    <p className="flex min-h-10 flex-none flex-wrap items-center gap-x-4 border-b border-line px-5 text-12 text-ink-3">
      <span className={item}>
        <svg aria-hidden width="12" height="12" fill="none" stroke="currentColor" strokeWidth="1.5">
          <rect x="1" y="1" width="10" height="10" rx="3" />
        </svg>
        {t('branch.legend_yours')}
      </span>
      <span className={item}>
        <svg aria-hidden width="12" height="12" fill="none" stroke="currentColor" strokeWidth="1.5">
          <circle cx="6" cy="6" r="5" />
        </svg>
        {t('branch.legend_reply')}
      </span>
      <span className={`${item} text-accent`}>
        <svg aria-hidden width="16" height="12" stroke="currentColor" strokeWidth="2.5">
          <path d="M0 6h16" />
        </svg>
        {t('branch.legend_path')}
      </span>
    </p>
  )
}
