import { Dialog as Base } from '@base-ui/react/dialog'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { OwnExecution } from './artifact.tsx'

type ExecutionSheetProps = {
  /** Null while the sheet is closed. */
  id: string | null
  onStarted: (id: string) => void
  onClose: () => void
}

/** Details of an execution in a sheet over the tool's page. */
export function ExecutionSheet({ id, onStarted, onClose }: ExecutionSheetProps) {
  const { t } = useTranslation('streaming_blocks')
  const sheet = useRef<HTMLDivElement>(null)
  // The focused element belonged to the previous execution.
  useEffect(() => {
    if (id !== null && !sheet.current?.contains(document.activeElement)) sheet.current?.focus()
  }, [id])
  return (
    <Base.Root open={id !== null} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fade-motion fixed inset-0 z-(--z-sidebar) bg-overlay" />
        <Base.Popup
          ref={sheet}
          aria-label={t('panel.artifact')}
          className="sheet-motion sheet-right fixed inset-y-0 right-0 z-(--z-sidebar) flex w-full max-w-[600px] flex-col bg-bg shadow-float outline-none"
        >
          {id !== null && <OwnExecution key={id} {...{ id, onStarted, onClose }} sessionId={null} />}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
