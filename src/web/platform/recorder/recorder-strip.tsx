import { Check, CirclePause, Mic, MicOff, Pause, Square } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { DeviceMenu } from './device-menu.tsx'
import { Meter } from './meter.tsx'
import { PlayButton } from './play-button.tsx'
import type { Recorder } from './use-recorder.ts'

/** The recording in progress: duration, level, and actions. Space pauses, Escape asks before it discards. */
export function Strip({ recorder }: { recorder: Recorder }) {
  const { t } = useTranslation('documents')
  const [asks, setAsks] = useState(false)
  const { state, seconds, levels, isSilent, device } = recorder
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      setAsks(true)
    } else if (event.key === ' ' && event.target === event.currentTarget) {
      event.preventDefault()
      if (state === 'recording') recorder.pause()
      else if (state === 'paused') recorder.resume()
    }
  }
  return (
    <section
      data-unsaved
      aria-label={t('recorder.strip')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys pause and discard.
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="mb-2 flex min-h-12 items-center gap-3 rounded-row bg-surface-2 py-1.5 pr-1.5 pl-3 text-13"
    >
      <Sign state={state} sound={recorder.sound} />
      <time className="num text-16">{clockOf(seconds)}</time>
      <Meter levels={levels} isLive={state === 'recording'} />
      {isSilent && (
        <>
          <span role="status" className="flex items-center gap-1.5 text-12 font-medium text-warning">
            <MicOff aria-hidden className="icon-14" />
            {t('recorder.silent', { device: device || t('recorder.microphone') })}
          </span>
          <DeviceMenu onChoose={recorder.useDevice} />
        </>
      )}
      {state === 'paused' && <span className="text-12 text-ink-2 max-sm:hidden">{t('recorder.paused')}</span>}
      <Controls recorder={recorder} onDiscard={() => setAsks(true)} />
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('recorder.discard_title')}
        message={t('recorder.discard_text', { time: clockOf(seconds) })}
        confirmLabel={t('recorder.discard')}
        onConfirm={recorder.discard}
      />
    </section>
  )
}

function Sign({ state, sound }: Pick<Recorder, 'state' | 'sound'>) {
  if (state === 'stopped' && sound) return <PlayButton sound={sound} />
  if (state === 'paused') return <CirclePause aria-hidden className="icon flex-none text-warning" />
  return <span aria-hidden className="size-2.5 flex-none rounded-pill bg-danger" />
}

type ControlsProps = { recorder: Recorder; onDiscard: () => void }

function Controls({ recorder, onDiscard }: ControlsProps) {
  const { t } = useTranslation('documents')
  const { state } = recorder
  if (state === 'starting') return <span className="text-12 text-ink-2">{t('recorder.starting')}</span>
  if (state === 'stopped')
    return (
      <>
        <Button variant="ghost" onClick={onDiscard}>
          {t('recorder.discard')}
        </Button>
        <Button variant="primary" icon={<Check aria-hidden className="icon" />} onClick={recorder.save}>
          {t('recorder.save')}
        </Button>
      </>
    )
  return (
    <>
      {state === 'recording' ? (
        <IconButton name={t('recorder.pause')} onClick={recorder.pause}>
          <Pause aria-hidden className="icon" />
        </IconButton>
      ) : (
        <Button icon={<Mic aria-hidden className="icon" />} onClick={recorder.resume}>
          {t('recorder.resume')}
        </Button>
      )}
      <Button icon={<Square aria-hidden className="icon-14" />} onClick={recorder.stop}>
        {t('recorder.stop')}
      </Button>
    </>
  )
}

/** Formats minutes and seconds. */
function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
