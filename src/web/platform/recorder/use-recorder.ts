import { useEffect, useRef, useState } from 'react'
import { type Capture, canCapture, startCapture } from './sound/capture.ts'

/** Bars of the meter, each about a twentieth of a second. */
const BARS = 60
/** Level below which no one is speaking. */
const SILENT = 0.01
/** Seconds of silence before it is reported. */
export const SILENCE_S = 4

export type RecorderState = 'closed' | 'starting' | 'recording' | 'paused' | 'stopped'
/** Why the recorder closed by itself. */
export type Trouble = 'denied' | 'unavailable'

/** A recording from the microphone: recording, paused, stopped, then saved or discarded. */
export function useRecorder(onSave: (file: File) => void) {
  const [state, setState] = useState<RecorderState>('closed')
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [seconds, setSeconds] = useState(0)
  const [levels, setLevels] = useState<readonly number[]>([])
  const [silentFor, setSilentFor] = useState(0)
  const [sound, setSound] = useState<Blob | null>(null)
  const capture = useRef<Capture | null>(null)

  useEffect(() => () => capture.current?.discard(), [])
  useEffect(() => {
    if (state !== 'recording') return
    const timer = setInterval(() => {
      setSeconds((count) => count + 1)
      setSilentFor((count) => count + 1)
    }, 1000)
    return () => clearInterval(timer)
  }, [state])

  const close = (why: Trouble | null = null) => {
    capture.current?.discard()
    capture.current = null
    setState('closed')
    setTrouble(why)
    setSound(null)
  }
  const hear = (level: number) => {
    setLevels((all) => [...all.slice(1 - BARS), level])
    if (level > SILENT) setSilentFor(0)
  }
  const start = async () => {
    if (!canCapture()) return close('unavailable')
    setTrouble(null)
    setState('starting')
    setSeconds(0)
    setLevels([])
    setSilentFor(0)
    try {
      capture.current = await startCapture(hear)
      setState('recording')
    } catch (error) {
      const isDenied = error instanceof DOMException && error.name === 'NotAllowedError'
      if (isDenied) askParent()
      close(isDenied ? 'denied' : 'unavailable')
    }
  }
  const stop = async () => {
    const blob = await capture.current?.stop()
    capture.current = null
    if (!blob) return
    setSound(blob)
    setState('stopped')
  }
  return {
    ...{ state, trouble, seconds, levels, sound },
    device: capture.current?.device() ?? '',
    isSilent: state === 'recording' && silentFor >= SILENCE_S,
    start: () => void start(),
    pause: () => {
      capture.current?.pause()
      setState('paused')
    },
    resume: () => {
      capture.current?.resume()
      setSilentFor(0)
      setState('recording')
    },
    stop: () => void stop(),
    useDevice: (id: string) =>
      void capture.current?.use(id).then(
        () => setSilentFor(0),
        () => close('unavailable'),
      ),
    save: () => {
      if (sound) onSave(new File([sound], nameOf(new Date()), { type: 'audio/mpeg' }))
      close()
    },
    discard: () => close(),
    forgetTrouble: () => setTrouble(null),
  }
}

export type Recorder = ReturnType<typeof useRecorder>

/** In a frame, the parent page decides about the microphone, so it is asked. */
function askParent(): void {
  window.parent.postMessage({ type: 'request-permissions', permissions: ['microphone'] }, '*')
}

/** Returns `recording-20261121-104233.mp3`, by the person's local time. */
export function nameOf(now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`
  return `recording-${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}.mp3`
}
