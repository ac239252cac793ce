import type { FastifyReply, FastifyRequest } from 'fastify'
import { ANY_SPEECH_MODEL, BUILT_IN_SPEECH_MODEL, TranscriptionFields } from '#shared/api/openai/audio.ts'
import { AppError } from '#shared/platform/errors.ts'
import { readingSettings } from '../../../knowledge/documents/documents.ts'
import { assertBalance } from '../../../money/billing/billing.ts'
import { keyOf } from '../../../platform/access/access.ts'
import { describeIssues } from '../../../platform/http/plain-issues.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import type { Deps } from '../../../tools/deps.ts'
import { receiveFile } from '../files.ts'
import { untilClosed } from '../open-stream.ts'
import { failLater, sendLater } from '../wire-error.ts'
import { toProgramError } from '../wire-failure.ts'
import { hearRecording, type Recording } from './hear-recording.ts'
import { writeTranscript } from './write-transcript.ts'

/** Receives a recording and returns its transcript. A disconnect cancels the work. */
export async function answerTranscription(
  deps: Deps,
  { user, request, reply }: { user: Caller; request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  await assertBalance(deps, user.id, keyOf(user))
  const { stored, name, fields } = await receiveFile(deps, user, request)
  const { file_key } = stored
  try {
    const call = readFields(fields)
    const builtIn = await isBuiltIn(deps, call.model)
    const { language = null, prompt = null } = call
    // Transcription must not count as an active request.
    reply.hijack()
    const heard = hear(deps, reply, { file_key, name, builtIn, language, prompt }, call)
    heard
      .catch((error) => {
        request.log.error({ error }, 'A recording could not be answered.')
        reply.raw.destroy()
      })
      .finally(() => deps.files.remove(file_key))
  } catch (error) {
    await deps.files.remove(file_key)
    throw error
  }
}

/** Returns the speech models that callers may use. */
export async function listSpeechModels(deps: Deps): Promise<string[]> {
  const { ATRIUM_TRANSCRIPTION_MODEL: named } = deps.config
  const { transcription } = await readingSettings(deps)
  return [...(named && transcription ? [named] : []), BUILT_IN_SPEECH_MODEL, ANY_SPEECH_MODEL]
}

/** @throws AppError `not_available` for a model that is none of these */
async function isBuiltIn(deps: Deps, model: string): Promise<boolean> {
  const known = await listSpeechModels(deps)
  if (!known.includes(model))
    throw new AppError(
      'not_available',
      `The model ${model.slice(0, 200)} is not available. Use ${known.join(' or ')}.`,
    )
  return model === BUILT_IN_SPEECH_MODEL
}

async function hear(deps: Deps, reply: FastifyReply, recording: Recording, call: TranscriptionFields) {
  const gone = untilClosed(reply)
  try {
    const { type, body } = writeTranscript(await hearRecording(deps, recording, gone), call)
    sendLater(reply, 200, body, type)
  } catch (error) {
    if (gone.aborted) return
    failLater(reply, toProgramError(error))
  }
}

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

function readFields(fields: Record<string, string>): TranscriptionFields {
  const parsed = TranscriptionFields.safeParse(fields)
  if (!parsed.success) {
    const errors = describeIssues(parsed.error.issues, fields)
    const { path, message } = errors[0] ?? { path: 'model', message: 'is not accepted' }
    throw new AppError('invalid', `${path} ${message}.`, { errors })
  }
  const { language } = parsed.data
  if (language === undefined || languages.of(language)) return parsed.data
  const message = 'must be a language by its code, as "en"'
  throw new AppError('invalid', `language ${message}.`, { errors: [{ path: 'language', message }] })
}
