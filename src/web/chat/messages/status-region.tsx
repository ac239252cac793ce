import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useAnnouncement } from './chat/announcements.ts'

/** The status region for screen readers. Questions and failures interrupt, others are polite. */
export function StatusRegion() {
  const { t } = useTranslation('streaming_blocks')
  const last = useAnnouncement((state) => state.last)
  const text = last ? t(`announce.${last.occasion}`, { count: last.words, tool: last.tool }) : ''
  return (
    <>
      <div role="status" aria-live="polite" className="sr-only">
        {last?.isUrgent ? '' : text}
      </div>
      <div role="alert" aria-live="assertive" className="sr-only">
        {last?.isUrgent ? text : ''}
      </div>
    </>
  )
}
