import { findFault, readNumber, type ValueFault } from '#shared/runs/input-requests/field-value.ts'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { fieldsOf, type InputField, type InputFile, type InputType } from '#shared/runs/runs/request.ts'

/** A file that is chosen, is being uploaded, is stored, or failed. */
export type DraftFile = {
  key: string
  name: string
  size: number
  state: 'chosen' | 'uploading' | 'transcribing' | 'uploaded' | 'failed'
  stored: InputFile | null
  /** The server's reason for a failed upload or transcription. */
  reason: string
  /** Transcript, which the person may correct. */
  transcript?: string
}

/** The values so far, by field name: text (also unparsed JSON), booleans, files. */
export type Draft = Readonly<Record<string, string | boolean | readonly DraftFile[] | undefined>>

export type Problem =
  | { kind: 'json'; line: number | null }
  | { kind: 'required' | 'uploading' | 'failed' | ValueFault }

/** Returns the fields to show for a request; null if none of its input types is supported. */
export function fieldsFor(request: InputRequiredBlock): InputField[] | null {
  return fieldsOf(request)
}

/** Returns whether a field holds anything that can be sent. */
export function isFilled(value: Draft[string]): boolean {
  if (typeof value === 'boolean') return true
  if (typeof value === 'string') return value.trim() !== ''
  return value?.some(({ state }) => state !== 'failed') ?? false
}

/** Returns whether a file is still being uploaded or transcribed. */
function isUnderWay({ state }: DraftFile): boolean {
  return state === 'uploading' || state === 'transcribing'
}

/** Returns whether a recording in a draft is being transcribed. */
export function isTranscribing(draft: Draft): boolean {
  return Object.values(draft).some(
    (value) => typeof value === 'object' && value.some(({ state }) => state === 'transcribing'),
  )
}

/** Returns the problems that keep a draft from being sent, by field; `isEmpty` if nothing is filled in. */
export function checkDraft(fields: readonly InputField[], draft: Draft) {
  const problems = new Map<string, Problem>()
  for (const field of fields) {
    const { name, required } = field
    const value = draft[name]
    const problem = isFilled(value)
      ? problemOf(field, value)
      : required
        ? ({ kind: 'required' } as const)
        : null
    if (problem) problems.set(name, problem)
  }
  return { problems, isEmpty: !fields.some(({ name }) => isFilled(draft[name])) }
}

function problemOf(field: InputField, value: Draft[string]): Problem | null {
  if (field.type === 'json' && typeof value === 'string') return jsonProblem(value)
  const fault = typeof value === 'string' && findFault(field, value)
  if (fault) return { kind: fault }
  if (typeof value !== 'object') return null
  if (value.some(isUnderWay)) return { kind: 'uploading' }
  return value.some(({ state }) => state === 'failed') ? { kind: 'failed' } : null
}

/** Returns where a JSON text becomes invalid: the line, from 1, if the browser reports it. */
export function jsonProblem(text: string): Problem | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return { kind: 'json', line: lineOf(String(error), text) }
  }
}

function lineOf(message: string, text: string): number | null {
  const line = /line (\d+)/.exec(message)?.[1]
  if (line) return Number(line)
  const position = /position (\d+)/.exec(message)?.[1]
  if (position) return text.slice(0, Number(position)).split('\n').length
  return /end of/i.test(message) ? text.split('\n').length : null
}

export type AnswerInput = { input: unknown; input_type: InputType }

/**
 * Converts a checked draft to an answer: one value as itself, several as `composite`, named fields under their names.
 */
export function toAnswer(
  request: InputRequiredBlock,
  fields: readonly InputField[],
  draft: Draft,
): AnswerInput {
  const filled = fields.filter(({ name }) => isFilled(draft[name]))
  const [only] = filled
  const isNamed = (request.fields?.length ?? 0) > 1
  if (only && filled.length === 1 && !isNamed) return toValue(only.type, draft[only.name])
  const values = filled.map(({ name, type }) => [name, toValue(type, draft[name]).input] as const)
  return { input: Object.fromEntries(values), input_type: 'composite' }
}

/** A boolean is sent as `json`, a document by the type of its files. */
function toValue(type: InputField['type'], value: Draft[string]): AnswerInput {
  if (typeof value === 'boolean') return { input: value, input_type: 'json' }
  if (typeof value === 'string' && type === 'number') return { input: readNumber(value), input_type: 'json' }
  if (typeof value === 'string')
    return type === 'json'
      ? { input: JSON.parse(value), input_type: 'json' }
      : { input: value, input_type: 'text' }
  const files = (value ?? []).flatMap(({ stored, transcript }) =>
    stored ? [{ ...stored, ...(transcript?.trim() && { transcript }) }] : [],
  )
  const kinds = new Set(files.map(({ media_type }) => kindOf(media_type)))
  const input_type =
    type === 'document' || type === 'file'
      ? kinds.size === 1
        ? ([...kinds][0] ?? 'file')
        : 'file'
      : kindOfField(type)
  return { input: files.length === 1 ? files[0] : files, input_type }
}

function kindOf(mediaType: string): InputType {
  const kind = mediaType.split('/')[0]
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file'
}

function kindOfField(type: InputField['type']): InputType {
  return type === 'image' || type === 'audio' || type === 'video' ? type : 'file'
}
