import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { useMayWrite } from '../chat/may-write.ts'
import { sendMessage } from '../chat/send.ts'

/** Says that a reply ended at the model's output limit, and lets people who may write continue it. */
export default function CutNote({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('streaming_blocks')
  const mayWrite = useMayWrite()
  const goOn = () => sendMessage({ sessionId, text: t('cut.message'), t, onRefused: () => undefined })
  return (
    <p className="mt-3 flex flex-wrap items-center gap-3 text-13 text-ink-2">
      {t('cut.note')}
      {mayWrite && (
        <Button size="sm" onClick={goOn}>
          {t('cut.continue')}
        </Button>
      )}
    </p>
  )
}
