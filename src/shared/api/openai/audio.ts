import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route, WIRE_BASE } from '../../platform/http.ts'
import { atMost, trimmed } from '../../platform/primitives.ts'

/** Model name that clients of the wire send; it selects the speech engine of the installation. */
export const ANY_SPEECH_MODEL = 'whisper-1'
/** Speech model included in the product. */
export const BUILT_IN_SPEECH_MODEL = 'atrium/whisper-base'

/** Format of a transcript; the default is `json`. */
export const TranscriptFormat = z.enum(['json', 'text', 'verbose_json', 'srt', 'vtt'])

/** Form fields besides the file. Unknown fields are ignored. */
export const TranscriptionFields = z.object({
  model: trimmed(1, MAX_MODEL_NAME),
  language: z.optional(z.string().check(z.trim(), z.toLowerCase(), z.regex(/^[a-z]{2,3}$/))),
  prompt: z.optional(trimmed(0, 4_000)),
  response_format: z._default(TranscriptFormat, 'json'),
  'timestamp_granularities[]': z._default(
    z.string().check(atMost(100), z.regex(/^(word|segment)(,(word|segment))*$/)),
    'segment',
  ),
})
export type TranscriptionFields = z.output<typeof TranscriptionFields>

/** Times in seconds. Only `verbose_json` has words and segments. */
export const Transcription = z.object({
  text: z.string(),
  usage: z.object({ type: z.literal('duration'), seconds: z.int() }),
  task: z.optional(z.literal('transcribe')),
  language: z.optional(z.string()),
  duration: z.optional(z.number()),
  words: z.optional(z.array(z.object({ word: z.string(), start: z.number(), end: z.number() }))),
  segments: z.optional(
    z.array(
      z.object({
        ...{ id: z.int(), seek: z.int(), start: z.number(), end: z.number(), text: z.string() },
        ...{ tokens: z.array(z.int()), temperature: z.number() },
        /** Confidence of the engine: mean log probability of the words. */
        avg_logprob: z.number(),
        compression_ratio: z.number(),
      }),
    ),
  ),
})
export type Transcription = z.infer<typeof Transcription>

export const createTranscription = route({
  method: 'POST',
  base: WIRE_BASE,
  path: '/audio/transcriptions',
  afterTerms: true,
  access: 'user',
  uses: 'feature transcription',
  fails: [
    ...([
      'not_available',
      'class_refused',
      'provider_failed',
      'provider_key_refused',
      'insufficient_balance',
      'budget_used_up',
    ] as const),
    ...(['quota_exceeded', 'not_found'] as const),
  ],
  sends: 'text/plain',
  scope: 'chat',
  upload: true,
  summary:
    'What is said in a recording: multipart with `file`, `model` and optional `language`, `prompt`, `response_format`, `timestamp_granularities[]`',
  answer: Transcription,
})
