import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Chunk } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { clockOf, STEP } from './playback.ts'
import type { Player } from './use-player.ts'

const steps: Record<string, number> = {
  ...{ ArrowLeft: -STEP, ArrowDown: -STEP, PageDown: -6 * STEP },
  ...{ ArrowRight: STEP, ArrowUp: STEP, PageUp: 6 * STEP },
}

/** Shows the playhead within the recording; follows every frame without a render. */
export function SeekBar({ player, chunk }: { player: Player; chunk: Chunk | null }) {
  const { t } = useTranslation('documents')
  const bar = useRef<HTMLInputElement>(null)
  const { playhead, duration, seek } = player
  useEffect(() => {
    const show = () => {
      if (bar.current) showAt(bar.current, playhead.read(), duration, t)
    }
    show()
    return playhead.subscribe(show)
  }, [playhead, duration, t])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    seek(playhead.read() + step)
  }
  return (
    <div className="media-seek">
      {chunk && <ChunkMark chunk={chunk} duration={duration} />}
      <input
        ref={bar}
        type="range"
        aria-label={t('viewer.seek')}
        className="media-range"
        min={0}
        max={duration}
        step="any"
        defaultValue={0}
        onInput={({ currentTarget }) => seek(currentTarget.valueAsNumber)}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

function showAt(
  bar: HTMLInputElement,
  now: number,
  duration: number,
  t: ReturnType<typeof useTranslation>['t'],
) {
  bar.value = String(now)
  bar.style.setProperty('--at', String(duration > 0 ? now / duration : 0))
  const text = t('viewer.time_of', { now: clockOf(now), total: clockOf(duration) })
  if (bar.getAttribute('aria-valuetext') !== text) bar.setAttribute('aria-valuetext', text)
}

/** Marks the requested passage. */
function ChunkMark({ chunk: { place }, duration }: { chunk: Chunk; duration: number }) {
  if (place.start === undefined || duration === 0) return null
  const share = (seconds: number) => `${(100 * seconds) / duration}%`
  return (
    <span
      className="media-mark"
      style={{ left: share(place.start), width: share((place.end ?? place.start) - place.start) }}
    />
  )
}
