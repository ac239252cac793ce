import { useEffect, useMemo, useState } from 'react'
import { Button } from '../../web/platform/ui/button.tsx'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { EmptyState } from '../../web/platform/ui/states/empty-state.tsx'
import type { PlayedProps } from '../viewer.ts'
import { ChunkLine } from './chunk-line.tsx'
import { chunkTime } from './chunk-time.ts'
import { createSpoken } from './playhead.ts'
import { Stage } from './stage.tsx'
import { Toolbar } from './toolbar.tsx'
import { Transcript } from './transcript.tsx'
import { usePlayer } from './use-player.ts'
import { useSpace } from './use-space.ts'
import { useTranscript } from './use-transcript.ts'
import './media.css'

/** Formats that may contain video. */
const films = /^video\/|^application\/ogg|\bogg\b/

/** Shows audio or video with subtitles and a transcript. */
export default function MediaView({ url, mediaType, document, chunk, parts, onRetry }: PlayedProps) {
  const { t } = useTranslation('documents')
  const { player, bindings } = usePlayer(url, document.duration)
  const segments = useTranscript(document, parts)
  const spoken = useMemo(() => createSpoken(player.playhead, segments), [player.playhead, segments])
  const [showsSubtitles, setShowsSubtitles] = useState(true)
  const chunkAt = chunk && chunkTime(chunk)
  const { seek, isReady } = player
  useSpace(player.toggle)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another passage, or the file that has come, moves the playhead.
  useEffect(() => {
    if (isReady && chunkAt !== null) seek(chunkAt)
  }, [chunk?.id, isReady])
  if (player.failure) {
    const retry = <Button onClick={onRetry}>{t('common:actions.retry')}</Button>
    return (
      <EmptyState
        page
        title={t(`viewer.media_${player.failure}`)}
        action={player.failure === 'error' && retry}
      />
    )
  }
  const focus = chunkAt === null ? undefined : () => player.playFrom(chunkAt)
  const subtitles = { isOn: showsSubtitles, toggle: () => setShowsSubtitles(!showsSubtitles) }
  return (
    <>
      <Toolbar document={document} player={player} subtitles={subtitles} onFocus={focus} />
      <div className="media">
        <div className="media-main">
          <Stage
            isFilm={films.test(mediaType)}
            {...{ player, bindings, segments, spoken, subtitles, chunk }}
            name={document.name}
          />
          {chunk && <ChunkLine chunk={chunk} onFocus={focus} />}
        </div>
        {segments.length > 0 && (
          <Transcript
            {...{ segments, spoken, chunk }}
            language={document.doc_metadata.language}
            onSeek={player.playFrom}
          />
        )}
      </div>
    </>
  )
}
