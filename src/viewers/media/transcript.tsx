import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Chunk } from '#shared/knowledge/documents/documents.ts'
import { formatNumber, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { Switch } from '../../web/platform/ui/checkbox.tsx'
import { Input } from '../../web/platform/ui/input.tsx'
import { fold } from './fold.ts'
import type { Changing } from './playhead.ts'
import { Piece } from './segment-view.tsx'
import type { Spoken, SubtitleSegment } from './subtitles.ts'

type TranscriptProps = {
  segments: readonly SubtitleSegment[]
  spoken: Changing<Spoken | null>
  chunk: Chunk | null
  language: string | null
  onSeek: (seconds: number) => void
}

/** Segments rendered as one piece. */
const PIECE = 20

/** Shows the transcript: the spoken word stays marked and visible, and a click on a word plays from there. */
export function Transcript({ segments, spoken, chunk, language, onSeek }: TranscriptProps) {
  const { t } = useTranslation('documents')
  const [query, setQuery] = useState('')
  const sought = fold(useDeferredValue(query))
  const shown = useMemo(
    () =>
      segments.map((_, at) => at).filter((at) => sought === '' || fold(segments[at]!.text).includes(sought)),
    [segments, sought],
  )
  const list = useRef<HTMLDivElement>(null)
  const [isFollowing, setFollowing] = useState(true)
  useFollowing(list, spoken, isFollowing && sought === '')
  const chosen = useChosen(segments, chunk)
  useEffect(() => {
    if (chosen) showSegment(list.current, chosen.from)
  }, [chosen])
  const stop = () => setFollowing(false)
  const words = useMemo(() => segments.reduce((sum, segment) => sum + segment.words.length, 0), [segments])
  return (
    <section aria-label={t('viewer.transcript')} className="media-transcript" lang={language ?? undefined}>
      <div className="media-transcript-head">
        <h2>{t('viewer.transcript')}</h2>
        <span className="num media-faint">
          {sought === ''
            ? t('viewer.words', { count: words, shown: formatNumber(words) })
            : t('viewer.hits', { count: shown.length, shown: formatNumber(shown.length) })}
        </span>
        <span className="flex-1" />
        <Switch
          label={t('viewer.follow')}
          checked={isFollowing}
          onCheckedChange={setFollowing}
          className="media-follow"
        />
      </div>
      <div className="media-find">
        <Input
          type="search"
          aria-label={t('viewer.search_transcript')}
          placeholder={t('viewer.search_transcript')}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
      </div>
      <div ref={list} className="media-segments" onWheel={stop} onTouchMove={stop}>
        {piecesOf(shown).map((piece) => (
          <Piece key={piece[0]} {...{ segments, spoken, sought, chosen, onSeek }} places={piece} />
        ))}
      </div>
    </section>
  )
}

function piecesOf(places: readonly number[]): (readonly number[])[] {
  const count = Math.ceil(places.length / PIECE)
  return Array.from({ length: count }, (_, at) => places.slice(at * PIECE, (at + 1) * PIECE))
}

/** Returns the segments of the requested passage. */
function useChosen(segments: readonly SubtitleSegment[], chunk: Chunk | null) {
  return useMemo(() => {
    const { start, end = start } = chunk?.place ?? {}
    if (start === undefined || end === undefined) return null
    const isIn = (segment: SubtitleSegment) => segment.startTime < end && segment.endTime > start
    const from = segments.findIndex(isIn)
    return from < 0 ? null : { from, to: segments.findLastIndex(isIn) }
  }, [segments, chunk])
}

/** Keeps the current segment in the middle of the list. */
function useFollowing(
  list: React.RefObject<HTMLElement | null>,
  spoken: Changing<Spoken | null>,
  isFollowing: boolean,
) {
  useEffect(() => {
    if (!isFollowing) return
    let last: number | undefined
    const follow = () => {
      const segment = spoken.read()?.segment
      if (segment === undefined || segment === last) return
      last = segment
      showSegment(list.current, segment)
    }
    follow()
    return spoken.subscribe(follow)
  }, [list, spoken, isFollowing])
}

/** Scrolls only the list, not the page. */
function showSegment(list: HTMLElement | null, segment: number): void {
  const row = list?.querySelector(`[data-segment="${segment}"]`)
  if (!list || !row) return
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()]
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const top = list.scrollTop + inner.top - outer.top - (outer.height - inner.height) / 2
  const isFar = Math.abs(top - list.scrollTop) > 2 * outer.height
  list.scrollTo({ top, behavior: isCalm || isFar ? 'instant' : 'smooth' })
}
