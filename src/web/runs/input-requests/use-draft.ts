import { useState } from 'react'
import { transcribeInputFile, uploadInputFile } from '#shared/runs/input-requests/input-requests.ts'
import type { InputField, InputFile } from '#shared/runs/runs/request.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import type { Draft, DraftFile } from './answer-draft.ts'
import { keepDraft, readKeptDraft } from './kept-drafts.ts'

/** The draft of one request: its values, and files that are uploaded as soon as they are chosen. */
export function useDraft(requestId: string, fields: readonly InputField[] = []) {
  const { t } = useTranslation('streaming_blocks')
  const mayTranscribe = useIsOpen('transcription')
  const [draft, setDraft] = useState<Draft>(() => ({ ...givenValues(fields), ...readKeptDraft(requestId) }))
  const change = (update: (before: Draft) => Draft) =>
    setDraft((before) => {
      const next = update(before)
      keepDraft(requestId, next)
      return next
    })
  const set = (name: string, value: Draft[string]) => change((before) => ({ ...before, [name]: value }))
  const changeFiles = (name: string, update: (files: readonly DraftFile[]) => readonly DraftFile[]) =>
    change((before) => ({ ...before, [name]: update(filesOf(before[name])) }))
  const add = ({ name, type }: InputField, files: readonly File[]) => {
    for (const file of files) {
      const key = crypto.randomUUID()
      const begun: DraftFile = {
        ...{ key, name: file.name, size: file.size, state: 'uploading', stored: null, reason: '' },
      }
      const patch = (more: Partial<DraftFile>) =>
        changeFiles(name, (all) => all.map((one) => (one.key === key ? { ...one, ...more } : one)))
      changeFiles(name, (all) => [...all, begun])
      upload(file).then(
        async (stored) => {
          if (type !== 'audio' || !mayTranscribe) return patch({ state: 'uploaded', stored })
          patch({ state: 'transcribing', stored })
          patch({ state: 'uploaded', ...(await transcribe(t, stored)) })
        },
        (error) => patch({ state: 'failed', reason: errorText(t, error, 'errors.upload_failed') }),
      )
    }
  }
  const remove = (name: string, key: string) =>
    changeFiles(name, (all) => all.filter((file) => file.key !== key))
  const correct = (name: string, key: string, transcript: string) =>
    changeFiles(name, (all) => all.map((one) => (one.key === key ? { ...one, transcript } : one)))
  return { draft, set, add, remove, correct }
}

/** Returns the proposed values by field. */
function givenValues(fields: readonly InputField[]): Draft {
  return Object.fromEntries(fields.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
}

export type DraftControl = ReturnType<typeof useDraft>

export function filesOf(value: Draft[string]): readonly DraftFile[] {
  return typeof value === 'object' ? value : []
}

function upload(file: File) {
  const form = new FormData()
  form.append('file', file)
  return call(uploadInputFile, { form })
}

/** Transcribes a recording. Without an engine, and if it fails, the recording is sent as it is with the reason. */
async function transcribe(
  t: TFunction,
  { id: fileId }: InputFile,
): Promise<Pick<DraftFile, 'reason' | 'transcript'>> {
  try {
    const { text } = await call(transcribeInputFile, { params: { fileId } })
    return { reason: '', transcript: text }
  } catch (error) {
    const isMissing = isApiError(error) && error.code === 'not_available'
    if (isMissing) return { reason: t('input.no_speech_engine') }
    return { reason: t('input.not_transcribed', { reason: errorText(t, error) }) }
  }
}
