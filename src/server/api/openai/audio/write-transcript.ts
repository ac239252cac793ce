import { deflateSync } from 'node:zlib'
import type { Transcription, TranscriptionFields } from '#shared/api/openai/audio.ts'
import type { Heard, HeardSegment } from './hear-recording.ts'

const PLAIN = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Formats a transcript in the requested OpenAI format. */
export function writeTranscript(
  heard: Heard,
  call: Pick<TranscriptionFields, 'response_format' | 'timestamp_granularities[]'>,
): { type: string; body: string } {
  const text = heard.segments.map((segment) => segment.text).join(' ')
  switch (call.response_format) {
    case 'text':
      return { type: PLAIN, body: `${text}\n` }
    case 'srt':
      return { type: PLAIN, body: heard.segments.map(writeSrt).join('') }
    case 'vtt':
      return { type: PLAIN, body: `WEBVTT\n\n${heard.segments.map(writeVtt).join('')}` }
    case 'verbose_json':
      return { type: JSON_TYPE, body: JSON.stringify(writeVerbose(heard, text, call)) }
    default:
      return {
        type: JSON_TYPE,
        body: JSON.stringify({ text, usage: usageOf(heard) } satisfies Transcription),
      }
  }
}

const usageOf = ({ seconds }: Heard) => ({ type: 'duration' as const, seconds: Math.ceil(seconds) })
const languages = new Intl.DisplayNames(['en'], { type: 'language' })

function writeVerbose(
  heard: Heard,
  text: string,
  { 'timestamp_granularities[]': wanted }: Pick<TranscriptionFields, 'timestamp_granularities[]'>,
): Transcription {
  const parts = wanted.split(',')
  const words = heard.segments.flatMap((segment) => segment.words)
  return {
    ...{ task: 'transcribe', duration: heard.seconds, text, usage: usageOf(heard) },
    language: heard.language ? (languages.of(heard.language) ?? heard.language).toLowerCase() : 'unknown',
    ...(parts.includes('word') && {
      words: words.map(({ text: word, start, end }) => ({ word, start, end })),
    }),
    ...(parts.includes('segment') && { segments: heard.segments.map(writeSegment) }),
  }
}

/** Builds a segment with only the known values. */
function writeSegment({ text, start, end, words }: HeardSegment, id: number) {
  const sure = words.reduce((sum, { confidence }) => sum + Math.log(Math.max(confidence, 1e-6)), 0)
  const bytes = Buffer.from(text)
  return {
    ...{ id, seek: 0, start, end, text, tokens: [], temperature: 0 },
    avg_logprob: words.length > 0 ? sure / words.length : 0,
    compression_ratio: bytes.length / deflateSync(bytes).length,
  }
}

function writeSrt({ start, end, text }: HeardSegment, at: number): string {
  return `${at + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${asCue(text)}\n\n`
}

function writeVtt({ start, end, text }: HeardSegment): string {
  return `${clock(start, '.')} --> ${clock(end, '.')}\n${asCue(text)}\n\n`
}

/** Replaces line breaks, because an empty line would end the cue. */
const asCue = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('-->', '->').trim()

/** Formats a time such as `01:02:03,450`, always with hours. */
function clock(seconds: number, mark: ',' | '.'): string {
  const ms = Math.round(seconds * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60]
  return `${two(hours)}:${two(minutes)}:${two(Math.floor(ms / 1000) % 60)}${mark}${String(ms % 1000).padStart(3, '0')}`
}
