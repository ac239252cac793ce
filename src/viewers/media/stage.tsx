import clsx from 'clsx'
import { type ComponentProps, useRef, useState, useSyncExternalStore } from 'react'
import type { Chunk } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { Controls } from './controls.tsx'
import type { Changing } from './playhead.ts'
import { lineAround, type Spoken, type SubtitleSegment } from './subtitles.ts'
import type { Subtitles } from './toolbar.tsx'
import { useIdle } from './use-idle.ts'
import type { Player, usePlayer } from './use-player.ts'

type StageProps = {
  name: string
  isFilm: boolean
  player: Player
  bindings: ReturnType<typeof usePlayer>['bindings']
  segments: readonly SubtitleSegment[]
  spoken: Changing<Spoken | null>
  subtitles: Subtitles
  chunk: Chunk | null
}

/** Shows the video, or audio as moving bars, with subtitles and controls. */
export function Stage({ name, isFilm, bindings, ...rest }: StageProps) {
  const { t } = useTranslation('documents')
  const { player, subtitles, segments, spoken, chunk } = rest
  const frame = useRef<HTMLDivElement>(null)
  const [hasPicture, setHasPicture] = useState(isFilm)
  const { isIdle, ...wakers } = useIdle(player.isPlaying && hasPicture)
  const Player = isFilm ? 'video' : 'audio'
  const onLoadedMetadata: ComponentProps<'video'>['onLoadedMetadata'] = ({ currentTarget }) => {
    // A video file without a picture is played as audio.
    if (isFilm) setHasPicture(currentTarget.videoWidth > 0)
    bindings.onLoadedMetadata()
  }
  return (
    <div
      ref={frame}
      {...wakers}
      className={clsx('media-stage', hasPicture && 'media-film', isIdle && 'media-idle')}
    >
      <div className="media-screen">
        <Player
          {...bindings}
          aria-label={name}
          preload="auto"
          playsInline={isFilm || undefined}
          hidden={!hasPicture}
          onLoadedMetadata={onLoadedMetadata}
          onClick={player.toggle}
        />
        {!hasPicture && <Bars isMoving={player.isPlaying} />}
        {!player.isReady && (
          <p role="status" className="media-note">
            {t('viewer.media_loading')}
          </p>
        )}
        {subtitles.isOn && <Caption segments={segments} spoken={spoken} />}
      </div>
      <Controls player={player} subtitles={subtitles} chunk={chunk} frame={hasPicture ? frame : null} />
    </div>
  )
}

/** Animates bars during playback; static when paused or when reduced motion is requested. */
function Bars({ isMoving }: { isMoving: boolean }) {
  return (
    <div aria-hidden data-testid="bars" className={clsx('media-bars', isMoving && 'media-moving')}>
      {heights.map((height, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars never change their place.
        <i key={at} style={{ '--height': height, '--delay': `${-at * 130}ms` } as React.CSSProperties} />
      ))}
    </div>
  )
}

const heights = [0.3, 0.55, 0.8, 0.45, 0.95, 0.6, 0.85, 1, 0.5, 0.75, 0.9, 0.4, 0.7, 0.5, 0.3]

/** Shows the current line with its spoken word highlighted. */
function Caption({ segments, spoken }: Pick<StageProps, 'segments' | 'spoken'>) {
  const now = useSyncExternalStore(spoken.subscribe, spoken.read)
  const segment = now && segments[now.segment]
  if (!segment) return null
  const { from, to } = lineAround(segment, now.word)
  return (
    <p className="media-caption">
      {segment.words.slice(from, to).map(({ id, text }, at) => (
        <span key={id} data-now={from + at === now.word || undefined}>
          {text}{' '}
        </span>
      ))}
    </p>
  )
}
