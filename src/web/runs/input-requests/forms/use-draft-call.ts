import { useState } from 'react'
import type { DraftKind } from '#shared/runs/runs/request.ts'
import { type DraftField, faultOf, fieldsOfDraft, readDraft, showValue } from './draft-values.ts'

/** The texts of a draft while a person changes them. */
export function useDraftCall(kind: DraftKind, input: unknown) {
  const original = (input ?? {}) as Record<string, unknown>
  const fields = fieldsOfDraft[kind]
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(fields.map((field) => [field.name, showValue(field, original[field.name])])),
  )
  const [isChecked, setChecked] = useState(false)
  const [hasAll, setAll] = useState(false)
  const isShown = (field: DraftField) =>
    !field.extra || hasAll || showValue(field, original[field.name]) !== ''
  return {
    texts,
    isShown,
    set: (name: string, text: string) => setTexts((before) => ({ ...before, [name]: text })),
    hasMore: fields.some((field) => !isShown(field)),
    showMore: () => setAll(true),
    /** Returns what is wrong with a field, once the person tried to send. */
    faultOf: (field: DraftField) => (isChecked ? faultOf(field, texts[field.name] ?? '') : null),
    /** Returns whether the draft can be sent. */
    check: () => {
      setChecked(true)
      return fields.every(
        (field) => field.control === 'fixed' || faultOf(field, texts[field.name] ?? '') === null,
      )
    },
    /** Returns the arguments as they are shown. */
    read: () => readDraft(fields, texts, original),
  }
}

export type DraftControl = ReturnType<typeof useDraftCall>
