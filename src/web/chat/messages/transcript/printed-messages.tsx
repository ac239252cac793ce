import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { MessageRow } from './message-row.tsx'

type PrintedMessagesProps = { ids: readonly string[]; total: number; missing: number }

/** Every message before the last turn in the normal flow of the page, for printing. Says how many are missing. */
export function PrintedMessages({ ids, total, missing }: PrintedMessagesProps) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div className="hidden print:block">
      {missing > 0 && <p className="py-4 text-13 text-ink-2">{t('print.missing', { count: missing })}</p>}
      {ids.map((id, at) => (
        <MessageRow key={id} id={id} position={missing + at + 1} total={total} isLast={false} />
      ))}
    </div>
  )
}
