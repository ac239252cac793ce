import { useState } from 'react'
import * as z from 'zod/mini'
import { type PromptField, PromptFieldType } from '#shared/chat/prompts/fields.ts'
import { type NewPrompt, type Prompt, PromptContent } from '#shared/chat/prompts/prompts.ts'
import { builtInFields, namesIn } from '#shared/chat/prompts/template.ts'
import { keep, readKept } from '../../../platform/lib/kept/kept.ts'

/** A field in the form, which may still be incomplete. */
const DraftField = z.object({
  name: z.string(),
  label: z.string(),
  type: PromptFieldType,
  required: z.boolean(),
  options: z.array(z.string()),
  value: z.string(),
})
export type DraftField = z.infer<typeof DraftField>

/** The fields of the form. */
const Draft = z.object({
  name: z.string(),
  /** Null: made of the name. */
  command: z.nullable(z.string()),
  text: z.string(),
  fields: z.array(DraftField),
  assistant_id: z.nullable(z.string()),
  model_name: z.nullable(z.string()),
  tools: z.nullable(z.array(z.string())),
  documents: z.array(z.string()),
})
export type Draft = z.infer<typeof Draft>

const empty: Draft = {
  ...{ name: '', command: null, text: '', fields: [], assistant_id: null, model_name: null, tools: null },
  documents: [],
}

const toDraftField = ({ name, label, type, required, options = [], value = '' }: PromptField): DraftField => {
  return { name, label, type, required, options, value }
}

/** Returns the form of a stored prompt, or of a new one. */
function draftOf(prompt: Prompt | null, beginnings: Partial<Draft>): Draft {
  if (!prompt) return followText({ ...empty, ...beginnings })
  const { name, command, text, fields, assistant_id, model_name, tools, documents } = prompt
  return { name, command, text, fields: fields.map(toDraftField), assistant_id, model_name, tools, documents }
}

/** Gives each placeholder of the text a field. Fields without a placeholder go, except those that only add files. */
export function followText(draft: Draft, dropped: ReadonlyMap<string, DraftField> = new Map()): Draft {
  const names = namesIn(draft.text).filter((name) => !builtInFields.some((one) => one === name))
  const known = new Map(draft.fields.map((field) => [field.name, field]))
  const fields = names.map((name) => known.get(name) ?? dropped.get(name) ?? aField(name))
  const others = draft.fields.filter(({ name, type }) => {
    return !names.includes(name) && (type === 'file' || type === 'document')
  })
  return { ...draft, fields: [...fields, ...others] }
}

export function aField(name: string, more: Partial<DraftField> = {}): DraftField {
  return { name, label: '', type: 'text', required: false, options: [], value: '', ...more }
}

/** Returns a command made of a name: small letters and digits without accents, joined by hyphens. */
export function commandOf(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).join('-').slice(0, 60)
}

/** Returns the form as a request body. Empty defaults and the answers of other kinds are left out. */
export function toBody(draft: Draft): NewPrompt {
  const fields = draft.fields.map(({ name, label, type, required, options, value }) => {
    const isFile = type === 'file' || type === 'document'
    return {
      ...{ name, label: label.trim(), type, required },
      ...(type === 'choice' && { options: options.map((option) => option.trim()).filter(Boolean) }),
      ...(value.trim() !== '' && !isFile && { value: value.trim() }),
    }
  })
  const command = draft.command ?? commandOf(draft.name)
  return { ...draft, name: draft.name.trim(), command, fields }
}

/** Returns the parts of the form that the server would refuse. */
export function problemsOf(draft: Draft): Set<string> {
  const parsed = PromptContent.safeParse(toBody(draft))
  return new Set(parsed.success ? [] : parsed.error.issues.map(({ path }) => path.slice(0, 2).join('.')))
}

/** The form of a prompt. Unsaved edits survive the view and a reload. */
export function usePromptEdits(prompt: Prompt | null, beginnings: Partial<Draft>) {
  const kept = `prompt:${prompt?.id ?? 'new'}`
  const stored = draftOf(prompt, beginnings)
  const [edited, setEdited] = useState<Draft | null>(() =>
    hasAny(beginnings) ? null : readEdits(kept, prompt),
  )
  const [dropped] = useState(() => new Map<string, DraftField>())
  const draft = edited ?? stored
  const isChanged = edited !== null && JSON.stringify(edited) !== JSON.stringify(stored)
  const change = (next: Partial<Draft>) => {
    for (const field of draft.fields) dropped.set(field.name, field)
    const whole = { ...draft, ...next }
    const followed = next.text === undefined ? whole : followText(whole, dropped)
    setEdited(followed)
    keep(kept, JSON.stringify({ version: prompt?.version ?? 0, draft: followed }))
  }
  const forget = () => {
    setEdited(null)
    keep(kept, '')
  }
  return { draft, change, forget, isChanged }
}

const hasAny = (beginnings: Partial<Draft>) => Object.keys(beginnings).length > 0

/** Edits of an older version are not shown. */
function readEdits(name: string, prompt: Prompt | null): Draft | null {
  const Kept = z.object({ version: z.int(), draft: Draft })
  const kept = Kept.safeParse(JSON.parse(readKept(name) || 'null'))
  return kept.success && kept.data.version === (prompt?.version ?? 0) ? kept.data.draft : null
}
