import { SAMPLE_RATE, type Sound } from './sound.ts'

export type Span = { start: number; end: number }
/** The loudness of each frame, and the threshold above which a frame is audible. */
export type Loudness = { frames: Float32Array; threshold: number }

/** Seconds per frame. */
export const FRAME = 0.02
const READ_SECONDS = 60
/** Minimum threshold, -50 dB. The threshold is three times the noise, within these limits. */
const QUIET = 0.003
/** Maximum threshold, -34 dB. */
const LOUD = 0.02
/** Longer pauses separate speech, in seconds. */
const PAUSE = 1
/** Margin before and after speech, in seconds. */
const MARGIN = 0.3
/** Minimum length of a word, in seconds. */
const SHORTEST = 0.1
/** Maximum time by which attention is ahead of the sound, in seconds. */
const AHEAD = 0.1
/** Maximum loudness of a dip, as a fraction of that of the sounds around it. */
const DIP = 0.4
/** More audible seconds without text than this are transcribed again. */
const LEFT_OUT = 1.5

/** Measures the loudness of each frame (root mean square). */
export async function measureLoudness(sound: Sound): Promise<Loudness> {
  const frames = new Float32Array(Math.ceil(sound.seconds / FRAME))
  const size = Math.round(FRAME * SAMPLE_RATE)
  for (let from = 0; from < sound.seconds; from += READ_SECONDS) {
    const samples = await sound.read(from, from + READ_SECONDS)
    for (let at = 0; at < samples.length; at += size) {
      const frame = samples.subarray(at, at + size)
      const power = frame.reduce((sum, value) => sum + value * value, 0) / frame.length
      frames[Math.round(from / FRAME) + Math.floor(at / size)] = Math.sqrt(power)
    }
  }
  const noise = frames.toSorted()[Math.floor(frames.length / 10)] ?? 0
  return { frames, threshold: Math.max(QUIET, Math.min(LOUD, 3 * noise)) }
}

/** Returns the times of speech, in windows of at most `longest` seconds. Longer speech is cut where it is quietest. */
export function windowsOf(loudness: Loudness, longest: number): Span[] {
  const windows: Span[] = []
  for (const part of speechOf(loudness).flatMap((span) => cutSpan(span, loudness, longest))) {
    const last = windows.at(-1)
    if (last && part.end - last.start <= longest) last.end = part.end
    else windows.push({ ...part })
  }
  return windows
}

/** Returns the rest of a window if a model transcribed only its beginning; null if the rest has no speech. */
export function restOf(
  { start, end }: Span,
  writtenTo: number,
  { frames, threshold }: Loudness,
): Span | null {
  const rest = frames.subarray(Math.ceil(writtenTo / FRAME), Math.floor(end / FRAME))
  const heard = rest.reduce((sum, loud) => sum + (loud > threshold ? FRAME : 0), 0)
  return writtenTo > start && heard > LEFT_OUT ? { start: writtenTo, end } : null
}

/** Returns the first audible time between `start` and `end`; `start` if there is none. */
export function nextHeard({ frames, threshold }: Loudness, start: number, end: number): number {
  const last = Math.floor(end / FRAME)
  for (let at = Math.ceil(start / FRAME); at < last; at++)
    if ((frames[at] ?? 0) > threshold) return Math.max(start, at * FRAME)
  return start
}

/**
 * Corrects the start of a word timed by a model's attention, which is up to a tenth of a second ahead of the sound. Returns the next dip
 * between two sounds; `start` if there is none.
 */
export function nextDip({ frames }: Loudness, start: number, end: number): number {
  const calm = (at: number) => ((frames[at - 1] ?? 0) + (frames[at] ?? 0) + (frames[at + 1] ?? 0)) / 3
  const loudest = (from: number, to: number) => {
    let most = 0
    for (let at = Math.max(0, from); at <= to; at++) most = Math.max(most, calm(at))
    return most
  }
  const first = Math.round(start / FRAME)
  const last = Math.round(Math.min(start + AHEAD, end - SHORTEST) / FRAME)
  let dip = first
  for (let at = first; at <= last; at++) if (calm(at) < calm(dip)) dip = at
  const around = Math.min(loudest(first - 5, dip), loudest(first, Math.round(end / FRAME)))
  return dip > first && calm(dip) <= DIP * around ? (dip + 0.5) * FRAME : start
}

function speechOf({ frames, threshold }: Loudness): Span[] {
  const spans: Span[] = []
  frames.forEach((loud, at) => {
    if (loud <= threshold) return
    const [start, end] = [at * FRAME, (at + 1) * FRAME]
    const last = spans.at(-1)
    if (last && start - last.end < PAUSE) last.end = end
    else spans.push({ start, end })
  })
  const whole = frames.length * FRAME
  return spans
    .filter(({ start, end }) => end - start >= SHORTEST)
    .map(({ start, end }) => ({ start: Math.max(0, start - MARGIN), end: Math.min(whole, end + MARGIN) }))
}

function cutSpan({ start, end }: Span, { frames }: Loudness, longest: number): Span[] {
  const parts: Span[] = []
  let from = start
  while (end - from > longest) {
    let cut = from + longest
    let quietest = Number.POSITIVE_INFINITY
    for (let at = Math.floor((from + longest * 0.6) / FRAME); at * FRAME < from + longest; at++) {
      if ((frames[at] ?? 0) >= quietest) continue
      quietest = frames[at] ?? 0
      cut = at * FRAME
    }
    parts.push({ start: from, end: cut })
    from = cut
  }
  return [...parts, { start: from, end }]
}
