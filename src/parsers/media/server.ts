import * as z from 'zod'
import { type Job, type TimedWord, Unreadable } from '../elements/port.ts'
import { placeWords, rounded, type Segment } from './segment.ts'
import { SAMPLE_RATE } from './sound.ts'

/** Maximum seconds per request: 19 MB, below the usual limit of servers. */
export const REQUEST_SECONDS = 600
const PATIENCE_MS = 600_000

const Word = z.object({ word: z.string(), start: z.number(), end: z.number() })
const Part = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  avg_logprob: z.number().optional(),
})
const Transcript = z.object({
  text: z.string(),
  language: z.string().optional(),
  segments: z.array(Part).nullish(),
  words: z.array(Word).nullish(),
})
type Transcript = z.infer<typeof Transcript>

export type SpeechServer = NonNullable<Job['settings']['transcription']> & Pick<Job['settings'], 'speech'>

/** Transcribes samples, which begin at `offset` seconds of the recording, with an OpenAI-compatible server. @throws Unreadable */
export async function transcribeByServer(
  { url, key, key_header, model, speech }: SpeechServer,
  samples: Float32Array,
  offset: number,
  signal: AbortSignal,
): Promise<Segment[]> {
  const body = new FormData()
  body.append('model', model)
  if (speech?.language) body.append('language', speech.language)
  if (speech?.prompt) body.append('prompt', speech.prompt)
  body.append('response_format', 'verbose_json')
  body.append('timestamp_granularities[]', 'word')
  body.append('timestamp_granularities[]', 'segment')
  body.append('file', new Blob([waveOf(samples)], { type: 'audio/wav' }), 'speech.wav')
  const bearer: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
  const headers = key && key_header ? { [key_header]: key } : bearer
  const [base, query] = url.split('?')
  const until = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const ask = async () => {
    const answer = await fetch(`${base}/audio/transcriptions${query ? `?${query}` : ''}`, {
      method: 'POST',
      headers,
      body,
      signal: until,
    })
    if (!answer.ok) throw new Error(`the transcription server answered ${answer.status}`)
    return Transcript.parse(await answer.json())
  }
  const transcript = await ask().catch((cause) => {
    signal.throwIfAborted()
    throw new Unreadable('transcription_failed', {}, { cause })
  })
  return segmentsOf(transcript, samples.length / SAMPLE_RATE, offset)
}

function segmentsOf({ text, segments, words }: Transcript, seconds: number, offset: number): Segment[] {
  const parts = segments?.length
    ? segments
    : [{ text, start: words?.[0]?.start ?? 0, end: words?.at(-1)?.end ?? seconds }]
  return parts
    .map((part, at) => {
      const confidence = rounded('avg_logprob' in part ? Math.exp(part.avg_logprob ?? 0) : 1)
      const next = parts[at + 1]?.start ?? Number.POSITIVE_INFINITY
      const own = (words ?? []).filter(({ start }) => (at === 0 || start >= part.start) && start < next)
      const timed = own.map(
        (one): TimedWord => ({
          text: one.word.trim(),
          start: rounded(one.start + offset),
          end: rounded(one.end + offset),
          confidence,
        }),
      )
      const [start, end] = [rounded(part.start + offset), rounded(part.end + offset)]
      const whole = part.text.trim()
      return {
        text: whole,
        start,
        end,
        words: timed.length > 0 ? timed : placeWords(whole, start, end, confidence),
      }
    })
    .filter((segment) => segment.text !== '')
}

function waveOf(samples: Float32Array): ArrayBuffer {
  const bytes = Buffer.alloc(44 + samples.length * 2)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples.length * 2, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(SAMPLE_RATE, 24)
  bytes.writeUInt32LE(SAMPLE_RATE * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples.length * 2, 40)
  for (const [at, value] of samples.entries())
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * 32_767), 44 + at * 2)
  return new Uint8Array(bytes).buffer
}
