import { useRef, useState } from 'react'
import type { InputField } from '#shared/runs/runs/request.ts'
import {
  type Draft,
  type DraftControl,
  type DraftFile,
  filesOf,
} from '../../../runs/input-requests/input-requests.tsx'

/** The draft of a prompt. Its files are uploaded when the text is inserted. */
export function usePromptDraft(fields: readonly InputField[]) {
  const [draft, setDraft] = useState<Draft>(() =>
    Object.fromEntries(fields.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
  )
  const files = useRef(new Map<string, File>())
  const set = (name: string, value: Draft[string]) => setDraft((before) => ({ ...before, [name]: value }))
  const append = (name: string, added: DraftFile[]) =>
    setDraft((before) => ({ ...before, [name]: [...filesOf(before[name]), ...added] }))
  const control: DraftControl = {
    ...{ draft, set },
    add: ({ name }, added) => {
      const chosen = added.map((file): DraftFile => {
        const key = crypto.randomUUID()
        files.current.set(key, file)
        return { key, name: file.name, size: file.size, state: 'chosen', stored: null, reason: '' }
      })
      append(name, chosen)
    },
    remove: (name, key) =>
      setDraft((before) => ({ ...before, [name]: filesOf(before[name]).filter((one) => one.key !== key) })),
    correct: () => {},
  }
  const keysOf = (type: InputField['type']) =>
    fields
      .filter((field) => field.type === type)
      .flatMap(({ name }) => filesOf(draft[name]).map(({ key }) => key))
  return {
    control,
    /** Adds a document of the library. */
    addDocument: (name: string, document: { id: string; name: string }) =>
      append(name, [
        { key: document.id, name: document.name, size: 0, state: 'chosen', stored: null, reason: '' },
      ]),
    documents: keysOf('document'),
    files: keysOf('file').flatMap((key) => files.current.get(key) ?? []),
  }
}

export type PromptDraft = ReturnType<typeof usePromptDraft>
