import { CircleHelp } from 'lucide-react'
import { useTranslation } from '../i18n/i18n.ts'

/** A note above an answer without citations. */
export function NoSourceNote() {
  const { t } = useTranslation('streaming_blocks')
  return (
    <p role="note" className="mb-2 flex items-start gap-1.5 text-13 text-ink-2">
      <CircleHelp aria-hidden className="icon-14 mt-0.5 flex-none text-warning" />
      {t('doubt.no_source')}
    </p>
  )
}
