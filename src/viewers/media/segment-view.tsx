import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { fold } from './fold.ts'
import { clockOf } from './playback.ts'
import type { Changing } from './playhead.ts'
import type { Spoken, SubtitleSegment, SubtitleWord } from './subtitles.ts'

type Shared = {
  segments: readonly SubtitleSegment[]
  spoken: Changing<Spoken | null>
  sought: string
  /** Segments of the requested passage. */
  chosen: { from: number; to: number } | null
  onSeek: (seconds: number) => void
}

/** Draws consecutive segments. Far from the viewport they are plain text without clickable words. */
export const Piece = memo(function Piece({ places, ...shared }: Shared & { places: readonly number[] }) {
  const box = useRef<HTMLDivElement>(null)
  const isNear = useNear(box)
  return (
    <div ref={box} className="media-piece" style={{ '--segments': places.length } as React.CSSProperties}>
      {places.map((place) => (
        <Segment key={place} place={place} isNear={isNear} {...shared} />
      ))}
    </div>
  )
})

type SegmentProps = Shared & { place: number; isNear: boolean }

const Segment = memo(function Segment({
  segments,
  spoken,
  sought,
  chosen,
  place,
  isNear,
  onSeek,
}: SegmentProps) {
  const { t } = useTranslation('documents')
  const { startTime, text, speaker, words } = segments[place]!
  const word = useSyncExternalStore(spoken.subscribe, () => wordIn(spoken.read(), place))
  const isChosen = chosen !== null && place >= chosen.from && place <= chosen.to
  const clock = clockOf(startTime)
  return (
    <div
      data-segment={place}
      data-now={word !== null || undefined}
      data-chosen={isChosen || undefined}
      className="media-segment"
    >
      <button
        type="button"
        className="media-time num"
        aria-label={t('viewer.play_from', { time: clock })}
        onClick={() => onSeek(startTime)}
      >
        {clock}
      </button>
      {isNear ? (
        <p
          onClick={(event) => playWord(event, words, onSeek)}
          onKeyDown={(event) => onWordKey(event, words, onSeek)}
        >
          {speaker && <span className="font-medium text-ink">{`${speaker}: `}</span>}
          {words.map((one, at) => (
            <Word key={one.id} word={one} at={at} isNow={at === word} isHit={isHit(one, sought)} />
          ))}
        </p>
      ) : (
        <p>{text}</p>
      )}
    </div>
  )
})

type WordProps = { word: SubtitleWord; at: number; isNow: boolean; isHit: boolean }

/** Confidence below which a word is marked as uncertain. */
const UNSURE = 0.5

const Word = memo(function Word({ word, at, isNow, isHit }: WordProps) {
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: words are selected as text, which those of a button are not. */}
      <span
        role="button"
        tabIndex={at === 0 ? 0 : -1}
        data-word={at}
        data-unsure={word.confidence < UNSURE || undefined}
        data-hit={isHit || undefined}
        aria-current={isNow ? 'time' : undefined}
      >
        {word.text}
      </span>{' '}
    </>
  )
})

const wordIn = (spoken: Spoken | null, place: number) => (spoken?.segment === place ? spoken.word : null)

const isHit = ({ text }: SubtitleWord, sought: string) =>
  sought !== '' && sought.split(/\s+/).some((part) => fold(text).includes(part))

const wordAt = (event: { target: EventTarget }) =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('[data-word]') : null

function playWord(event: MouseEvent, words: readonly SubtitleWord[], onSeek: Shared['onSeek']): void {
  const word = words[Number(wordAt(event)?.dataset.word ?? Number.NaN)]
  if (word) onSeek(word.startTime)
}

/** Handles keys on a word: Enter plays from it, arrows move between words. */
function onWordKey(event: KeyboardEvent, words: readonly SubtitleWord[], onSeek: Shared['onSeek']): void {
  const at = wordAt(event)
  const place = Number(at?.dataset.word ?? Number.NaN)
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (event.key === 'Enter' && words[place]) onSeek(words[place].startTime)
  else if (step) {
    event.preventDefault()
    at?.parentElement?.querySelector<HTMLElement>(`[data-word="${place + step}"]`)?.focus()
  }
}

/** Returns true when an element is in or near the viewport. */
function useNear(box: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    if (!box.current || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root: box.current.parentElement,
      rootMargin: '600px',
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  return isNear
}
