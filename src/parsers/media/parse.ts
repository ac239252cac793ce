import { join } from 'node:path'
import { type Job, Unreadable } from '../elements/port.ts'
import { findProgram, packageOf } from '../elements/programs.ts'
import { openBox } from './box.ts'
import { decodeHere, isDecodedHere } from './decoders.ts'
import { extractSound, makeView, probe, type Streams } from './ffmpeg.ts'
import { rounded, type Segment } from './segment.ts'
import { REQUEST_SECONDS, type SpeechServer, transcribeByServer } from './server.ts'
import { openSound, type Sound, writeSound } from './sound.ts'
import { readWave } from './wav.ts'
import { openWhisper, WINDOW_SECONDS } from './whisper.ts'
import { type Loudness, measureLoudness, nextDip, nextHeard, restOf, windowsOf } from './windows.ts'

/** The formats browsers play, by container and codec. */
const boxes = ['mp3', 'wav', 'ogg', 'flac', 'm4a', 'aac', 'mp4', 'webm', 'mov']
const pictures = ['h264', 'vp8', 'vp9', 'av1']
const sounds = ['aac', 'mp3', 'opus', 'vorbis', 'flac', 'pcm_s16le', 'pcm_f32le', 'pcm_u8', 'pcm_s24le']

/** Reads the speech of a recording or film, with word times. */
export async function parse(job: Job): Promise<void> {
  const path = join(job.folder, 'sound.pcm')
  const ffmpeg = findProgram('ffmpeg')
  const streams = ffmpeg ? await probe(ffmpeg, job.path, job.signal) : null
  const { hasSound, seconds } = await decode(job, path, ffmpeg, streams)
  if (ffmpeg && streams) await keepView(job, ffmpeg, streams)
  if (!hasSound) {
    if (seconds) job.describe({ duration: rounded(seconds) })
    return job.warn({ code: 'no_speech' })
  }
  const sound = await openSound(path)
  try {
    job.describe({ duration: rounded(seconds ?? sound.seconds) })
    await transcribe(job, sound)
  } finally {
    await sound.close()
  }
}

type Decoded = { hasSound: boolean; seconds: number | null }

/** Decodes the sound of the job's file to `path`. */
async function decode(
  job: Job,
  path: string,
  ffmpeg: string | null,
  streams: Streams | null,
): Promise<Decoded> {
  const wave = job.format === 'wav' ? await readWave(job.path) : null
  if (wave) return { hasSound: (await writeSound(path, wave)) > 0, seconds: streams?.seconds ?? null }
  return ffmpeg && streams ? decodeByProgram(job, path, ffmpeg, streams) : decodeByPackages(job, path)
}

async function decodeByProgram(job: Job, path: string, ffmpeg: string, streams: Streams): Promise<Decoded> {
  const { seconds } = streams
  if (!streams.audio && !streams.video) throw new Unreadable('damaged')
  if (!streams.audio) return { hasSound: false, seconds }
  if (!(await extractSound(ffmpeg, job.path, path, job.signal))) throw new Unreadable('damaged')
  return { hasSound: true, seconds }
}

/** Decodes without a system program. @throws Unreadable if no package supports the codec */
async function decodeByPackages(job: Job, path: string): Promise<Decoded> {
  if (isDecodedHere(job.format) && (await writeSound(path, decodeHere(job.path, job.format))) > 0)
    return { hasSound: true, seconds: null }
  const box = await openBox(job.path)
  try {
    if (box?.hasPicture && !box.sound) return { hasSound: false, seconds: box.seconds }
    if (box?.sound && (await writeSound(path, box.sound)) > 0) return { hasSound: true, seconds: box.seconds }
  } finally {
    box?.close()
  }
  throw new Unreadable('program_missing', { program: 'ffmpeg', package: packageOf('ffmpeg') })
}

/** Stores a copy that browsers can play, unless they can play the original. */
async function keepView(job: Job, ffmpeg: string, streams: Streams): Promise<void> {
  const { video, audio } = streams
  const isPlayed =
    boxes.includes(job.format) &&
    (video === null || pictures.includes(video)) &&
    (audio === null || sounds.includes(audio))
  if (isPlayed) return
  const name = video ? 'view.mp4' : 'view.m4a'
  const path = join(job.folder, name)
  if (!(await makeView(ffmpeg, job.path, path, streams, job.signal))) return
  await job.keep(name, { path })
  job.describe({ converted_from: job.format })
}

async function transcribe(job: Job, sound: Sound): Promise<void> {
  const loudness = await measureLoudness(sound)
  const { transcription, speech } = job.settings
  const windows = windowsOf(loudness, transcription ? REQUEST_SECONDS : WINDOW_SECONDS)
  if (windows.length === 0) return job.warn({ code: 'no_speech' })
  const listener = transcription
    ? listenerOf({ ...transcription, speech }, job.signal)
    : await openWhisper(speech)
  const segments: Segment[] = []
  for (let window = windows.shift(); window; window = windows.shift()) {
    job.signal.throwIfAborted()
    job.progress(Math.floor(window.start), Math.ceil(sound.seconds))
    const { start, end } = window
    const written = await listener.transcribe(await sound.read(start, end), start)
    segments.push(...written)
    const rest = transcription ? null : restOf(window, written.at(-1)?.end ?? start, loudness)
    if (rest) windows.unshift(rest)
  }
  for (const segment of segments) addSegment(job, segment, loudness)
  if (segments.length === 0) job.warn({ code: 'no_speech' })
  if (segments.some(({ words }) => words.some(({ approximate }) => approximate)))
    job.warn({ code: 'approximate_times' })
  job.progress(Math.ceil(sound.seconds), Math.ceil(sound.seconds))
}

const listenerOf = (server: SpeechServer, signal: AbortSignal) => ({
  transcribe: (samples: Float32Array, offset: number) => transcribeByServer(server, samples, offset, signal),
})

/** Adds a segment. Models start a word where the previous one ends; this moves its start to where it becomes audible. */
function addSegment(job: Job, segment: Segment, loudness: Loudness): void {
  const isByAttention = job.settings.transcription === null
  const words = segment.words.map((word) => {
    if (word.approximate) return word
    const heard = nextHeard(loudness, word.start, word.end)
    return { ...word, start: rounded(isByAttention ? nextDip(loudness, heard, word.end) : heard) }
  })
  const start = words[0]?.start ?? segment.start
  job.add({ type: 'transcript_segment', text: segment.text, place: { start, end: segment.end, words } })
}
