import { useState } from 'react'
import { uploadInputFile } from '#shared/input-requests/input-requests.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { call } from '../lib/call.ts'
import type { Draft, DraftFile } from './answer-draft.ts'

/** What was filled in and not sent, per request, while the page lives. */
const kept = new Map<string, Draft>()

export function forgetDraft(requestId: string): void {
  kept.delete(requestId)
}

/** The draft of one request: its values, and files that are stored as soon as they are chosen. */
export function useDraft(requestId: string) {
  const { t } = useTranslation('streaming_blocks')
  const [draft, setDraft] = useState<Draft>(() => kept.get(requestId) ?? {})
  const change = (update: (before: Draft) => Draft) =>
    setDraft((before) => {
      const next = update(before)
      kept.set(requestId, next)
      return next
    })
  const set = (name: string, value: Draft[string]) => change((before) => ({ ...before, [name]: value }))
  const changeFiles = (name: string, update: (files: readonly DraftFile[]) => readonly DraftFile[]) =>
    change((before) => ({ ...before, [name]: update(filesOf(before[name])) }))
  const add = (name: string, files: readonly File[]) => {
    for (const file of files) {
      const key = crypto.randomUUID()
      const begun: DraftFile = {
        ...{ key, name: file.name, size: file.size, state: 'uploading', stored: null, reason: '' },
      }
      const patch = (more: Partial<DraftFile>) =>
        changeFiles(name, (all) => all.map((one) => (one.key === key ? { ...one, ...more } : one)))
      changeFiles(name, (all) => [...all, begun])
      upload(file).then(
        (stored) => patch({ state: 'uploaded', stored }),
        (error) => patch({ state: 'failed', reason: errorText(t, error, 'errors.upload_failed') }),
      )
    }
  }
  const remove = (name: string, key: string) =>
    changeFiles(name, (all) => all.filter((file) => file.key !== key))
  return { draft, set, add, remove }
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
