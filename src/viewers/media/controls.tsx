import { Captions, FastForward, Maximize, Minimize, Rewind, Volume2, VolumeX } from 'lucide-react'
import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'
import type { Chunk } from '#shared/knowledge/documents/documents.ts'
import { formatNumber, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { IconButton } from '../../web/platform/ui/icon-button.tsx'
import { clockOf, RATES, STEP } from './playback.ts'
import { SeekBar } from './seek-bar.tsx'
import { PlayButton, type Subtitles } from './toolbar.tsx'
import type { Player } from './use-player.ts'

type ControlsProps = {
  player: Player
  subtitles: Subtitles
  chunk: Chunk | null
  /** Element for full screen; null without a picture. */
  frame: RefObject<HTMLElement | null> | null
}

/** Shows the playback controls. */
export function Controls({ player, subtitles, chunk, frame }: ControlsProps) {
  const { t } = useTranslation('documents')
  return (
    <div className="media-controls">
      <SeekBar player={player} chunk={chunk} />
      <div className="media-buttons">
        <IconButton name={t('viewer.back', { seconds: STEP })} onClick={() => player.step(-1)}>
          <Rewind aria-hidden className="icon" />
        </IconButton>
        <PlayButton player={player} />
        <IconButton name={t('viewer.forward', { seconds: STEP })} onClick={() => player.step(1)}>
          <FastForward aria-hidden className="icon" />
        </IconButton>
        <Clock player={player} />
        <span className="flex-1" />
        <Sound player={player} />
        <Rate player={player} />
        {frame && (
          <>
            <IconButton
              name={t('viewer.subtitles')}
              aria-pressed={subtitles.isOn}
              className="media-captions"
              on={subtitles.isOn}
              onClick={subtitles.toggle}
            >
              <Captions aria-hidden className="icon" />
            </IconButton>
            <FullScreen frame={frame} />
          </>
        )}
      </div>
    </div>
  )
}

function Clock({ player: { playhead, duration } }: { player: Player }) {
  const now = useSyncExternalStore(playhead.subscribe, () => Math.floor(playhead.read()))
  return (
    <span className="media-clock num">
      {clockOf(now)} / {clockOf(duration)}
    </span>
  )
}

function Sound({ player }: { player: Player }) {
  const { t } = useTranslation('documents')
  const Icon = player.isMuted || player.volume === 0 ? VolumeX : Volume2
  return (
    <>
      <IconButton name={t('viewer.mute')} aria-pressed={player.isMuted} onClick={player.toggleSound}>
        <Icon aria-hidden className="icon" />
      </IconButton>
      <input
        type="range"
        aria-label={t('viewer.volume')}
        className="media-range media-volume"
        min={0}
        max={1}
        step={0.1}
        value={player.isMuted ? 0 : player.volume}
        style={{ '--at': player.isMuted ? 0 : player.volume } as React.CSSProperties}
        onChange={({ target }) => player.setVolume(target.valueAsNumber)}
      />
    </>
  )
}

/** Uses a native list, because it also works in full screen. */
function Rate({ player: { rate, setRate } }: { player: Player }) {
  const { t } = useTranslation('documents')
  return (
    <select
      aria-label={t('viewer.rate')}
      className="media-rate num"
      value={rate}
      onChange={({ target }) => setRate(Number(target.value))}
    >
      {RATES.map((one) => (
        <option key={one} value={one}>
          {t('viewer.times', { value: formatNumber(one) })}
        </option>
      ))}
    </select>
  )
}

function FullScreen({ frame }: { frame: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation('documents')
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const onChange = () => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', onChange)
    return () => document.removeEventListener('fullscreenchange', onChange)
  }, [])
  if (!document.fullscreenEnabled) return null
  const Icon = isFull ? Minimize : Maximize
  return (
    <IconButton
      name={t(isFull ? 'viewer.leave_full_screen' : 'viewer.full_screen')}
      onClick={() => void (isFull ? document.exitFullscreen() : frame.current?.requestFullscreen())}
    >
      <Icon aria-hidden className="icon" />
    </IconButton>
  )
}
