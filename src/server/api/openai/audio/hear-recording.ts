import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { DocumentPart } from '#shared/knowledge/documents/documents.ts'
import { AppError } from '#shared/platform/errors.ts'
import { readingLimits, readingSettings } from '../../../knowledge/documents/documents.ts'
import { mediaTypeOf } from '../../../platform/files/media-types.ts'
import { Unreadable } from '../../../platform/parsing/parsing.ts'
import type { Deps } from '../../../tools/deps.ts'

/** A transcript with times in seconds; `language` is a code, if known. */
export type Heard = { segments: HeardSegment[]; seconds: number; language: string | null }
export type HeardSegment = { text: string; start: number; end: number; words: HeardWord[] }
type HeardWord = { text: string; start: number; end: number; confidence: number }

export type Recording = {
  file_key: string
  name: string
  /** Uses the packaged Whisper model, whatever else is configured. */
  builtIn: boolean
  language: string | null
  prompt: string | null
}

/** Transcribes a stored recording in a separate process. @throws AppError `invalid`, `provider_failed`, `unavailable` */
export async function hearRecording(
  deps: Deps,
  { file_key, name, builtIn, language, prompt }: Recording,
  signal: AbortSignal,
): Promise<Heard> {
  const settings = await readingSettings(deps)
  const speech = { language, prompt }
  const wish = {
    ...{ name, pipeline: 'low_latency' as const, language: 'en' as const },
    limits: readingLimits(deps.config, 0),
    settings: { ...settings, ...(builtIn && { transcription: null }), speech },
  }
  return deps.parsing
    .read(wish, {
      signal,
      bring: async (path) => pipeline(await deps.files.read(file_key), createWriteStream(path)),
      use: async (summary, folder) => {
        if (!/^(audio|video)\//.test(mediaTypeOf(summary.format)))
          throw new AppError('invalid', 'The file is no recording.')
        return {
          segments: await readSegments(join(folder, 'parts.ndjson')),
          ...{ seconds: Number(summary.facts.duration ?? 0), language: language ?? summary.language },
        }
      },
    })
    .catch((error) => {
      throw error instanceof Unreadable ? failureOf(error) : error
    })
}

async function readSegments(path: string): Promise<HeardSegment[]> {
  const segments: HeardSegment[] = []
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { elements } = DocumentPart.parse(JSON.parse(line))
    for (const { type, text, metadata } of elements) {
      const { start, end, words } = metadata
      if (type === 'transcript_segment' && start !== null && end !== null)
        segments.push({ text, start, end, words })
    }
  }
  return segments
}

function failureOf(cause: Unreadable): AppError {
  const { code, values } = cause
  if (code === 'transcription_failed')
    return new AppError('provider_failed', 'The speech engine could not write the recording down.', { cause })
  if (code === 'program_missing')
    return new AppError(
      'invalid',
      `Recordings of this kind need ${values.program} on the server. Send wav, mp3, flac, ogg or webm.`,
      { cause },
    )
  if (code === 'took_too_long' || code === 'package_missing' || code === 'took_too_much_memory')
    return new AppError('unavailable', 'The recording could not be written down here. Send a shorter one.', {
      cause,
    })
  return new AppError('invalid', 'The file could not be read as a recording.', { cause })
}
