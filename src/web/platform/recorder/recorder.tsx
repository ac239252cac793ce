import { Mic } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from '../i18n/i18n.ts'
import { isShortcut } from '../lib/me/shortcuts.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Strip } from './recorder-strip.tsx'
import { TroubleLine } from './trouble-line.tsx'
import { useRecorder } from './use-recorder.ts'

type RecorderProps = {
  /** Container of the strip, above the text. */
  place: Element | null
  disabled: boolean
  onSave: (file: File) => void
  /** Alternative if nothing can be recorded. */
  onAttach: () => void
}

/** The composer's microphone button, and the strip with the level while it records. */
export function Recorder({ place, disabled, onSave, onAttach }: RecorderProps) {
  const { t } = useTranslation('documents')
  const recorder = useRecorder(onSave)
  const { state, trouble, start, stop } = recorder
  const isOpen = state !== 'closed'
  useRecordKey(() => (state === 'closed' ? start() : stop()), disabled)
  return (
    <>
      <IconButton
        name={t(isOpen ? 'recorder.on' : 'recorder.start')}
        disabled={disabled}
        on={isOpen}
        aria-pressed={isOpen}
        onClick={() => !isOpen && start()}
      >
        <Mic aria-hidden className="icon" />
      </IconButton>
      {place && isOpen && createPortal(<Strip recorder={recorder} />, place)}
      {place &&
        trouble &&
        createPortal(
          <TroubleLine {...{ trouble, onAttach }} onRetry={start} onClose={recorder.forgetTrouble} />,
          place,
        )}
    </>
  )
}

/** A shortcut starts and stops. */
function useRecordKey(act: () => void, disabled: boolean): void {
  const now = useRef(act)
  now.current = act
  useEffect(() => {
    if (disabled) return
    const onKey = (event: KeyboardEvent) => {
      if (
        !isShortcut(event, 'record') ||
        event.repeat ||
        document.querySelector('[role="dialog"][data-open]')
      )
        return
      event.preventDefault()
      now.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [disabled])
}
