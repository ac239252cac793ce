import { useEffect, useMemo, useRef, useState } from 'react'
import { placeOf, rateOf, STEP, volumeOf } from './playback.ts'
import { createPlayhead, type Playhead } from './playhead.ts'

export type Player = {
  playhead: Playhead
  isPlaying: boolean
  isReady: boolean
  failure: 'unsupported' | 'error' | null
  /** In seconds. */
  duration: number
  volume: number
  isMuted: boolean
  rate: number
  toggle: () => void
  restart: () => void
  /** Moves the playhead; ignores invalid numbers. */
  seek: (seconds: number) => void
  step: (direction: 1 | -1) => void
  playFrom: (seconds: number) => void
  setVolume: (volume: number) => void
  toggleSound: () => void
  setRate: (rate: number) => void
}

/** Returns the state and actions of an audio or video element; `known` is its duration before the file is loaded. */
export function usePlayer(url: string, known: number | null) {
  const element = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  const playhead = useMemo(createPlayhead, [])
  const [isPlaying, setPlaying] = useState(false)
  const [isReady, setReady] = useState(false)
  const [failure, setFailure] = useState<Player['failure']>(null)
  const [duration, setDuration] = useState(known ?? 0)
  const [sound, setSound] = useState({ volume: 1, isMuted: false })
  const [rate, setRateShown] = useState(1)
  useFrames(element, playhead, isPlaying)
  // Set after mounting, because React misses events of an element that is not in the page yet.
  useEffect(() => {
    if (element.current) element.current.src = url
  }, [url])

  const play = () => {
    element.current?.play().catch((error: unknown) => {
      // biome-ignore lint/suspicious/noConsole: browsers may refuse to play; the log is where it is looked for.
      console.warn('Playback did not start', error)
      setPlaying(false)
    })
  }
  const seek = (seconds: number) => {
    const place = placeOf(seconds, duration)
    if (place === null || !element.current) return
    element.current.currentTime = place
    playhead.move(place)
  }
  const playFrom = (seconds: number) => {
    seek(seconds)
    play()
  }
  const player: Player = {
    ...{ playhead, isPlaying, isReady, failure, duration, rate, ...sound, seek, playFrom },
    toggle: () => (isPlaying ? element.current?.pause() : play()),
    restart: () => playFrom(0),
    step: (direction) => seek(playhead.read() + direction * STEP),
    setVolume: (wanted) => {
      const volume = volumeOf(wanted)
      if (volume !== null && element.current) Object.assign(element.current, { volume, muted: false })
    },
    toggleSound: () => {
      if (element.current) element.current.muted = !element.current.muted
    },
    setRate: (wanted) => {
      const playbackRate = rateOf(wanted)
      if (playbackRate !== null && element.current) element.current.playbackRate = playbackRate
    },
  }
  const follow = () => element.current && playhead.move(element.current.currentTime)
  const bindings = {
    ref: element,
    onPlay: () => setPlaying(true),
    onPause: () => setPlaying(false),
    onEnded: () => setPlaying(false),
    onTimeUpdate: follow,
    onSeeked: follow,
    onDurationChange: () => setDuration(lengthOf(element.current) ?? known ?? 0),
    onLoadedMetadata: () => setReady(true),
    onVolumeChange: () => setSound(soundOf(element.current)),
    onRateChange: () => setRateShown(element.current?.playbackRate ?? 1),
    onError: () => setFailure(failureOf(element.current?.error?.code)),
  }
  return { player, bindings }
}

/** Updates the playhead on every frame, because `timeupdate` fires only four times a second and words are shorter. */
function useFrames(
  element: React.RefObject<HTMLMediaElement | null>,
  playhead: Playhead,
  isPlaying: boolean,
) {
  useEffect(() => {
    if (!isPlaying) return
    let frame = 0
    const next = () => {
      if (element.current) playhead.move(element.current.currentTime)
      frame = requestAnimationFrame(next)
    }
    frame = requestAnimationFrame(next)
    return () => cancelAnimationFrame(frame)
  }, [element, playhead, isPlaying])
}

/** Returns the duration; recordings that were not finalised have none. */
const lengthOf = (element: HTMLMediaElement | null) =>
  element && Number.isFinite(element.duration) ? element.duration : null

const soundOf = (element: HTMLMediaElement | null) => ({
  volume: element?.volume ?? 1,
  isMuted: element?.muted ?? false,
})

/** `MEDIA_ERR_SRC_NOT_SUPPORTED`; other codes concern playable files. */
const UNSUPPORTED = 4
const failureOf = (code: number | undefined) => (code === UNSUPPORTED ? 'unsupported' : 'error')
