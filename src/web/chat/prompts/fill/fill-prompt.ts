import type { PromptField } from '#shared/chat/prompts/fields.ts'
import { type BuiltInField, builtInFields, fillIn, namesIn } from '#shared/chat/prompts/template.ts'
import { findFault } from '#shared/runs/input-requests/field-value.ts'
import type { InputField } from '#shared/runs/runs/request.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import type { Draft } from '../../../runs/input-requests/input-requests.tsx'

/** Values of the built-in fields; empty where there is none. `today` is year-month-day. */
export type BuiltInValues = Record<BuiltInField, string>

type Template = { text: string; fields: readonly PromptField[] }

/**
 * Returns the fields to show: the prompt's with their defaults, then the built-in ones that it uses and that have no value.
 */
export function fieldsToFill(
  { text, fields }: Template,
  builtIn: BuiltInValues,
  labelOf: (name: BuiltInField) => string,
): InputField[] {
  const own = fields.map((field): InputField => {
    const value = field.value === undefined ? '' : defaultOf(field, field.value, builtIn)
    return {
      ...{ name: field.name, label: field.label || field.name, type: field.type, required: field.required },
      ...(field.options && { options: field.options }),
      ...(value && { value }),
    }
  })
  const used = new Set(namesIn([text, ...fields.map(({ value = '' }) => value)].join('\n')))
  const missing = builtInFields.filter((name) => used.has(name) && builtIn[name] === '')
  const isLong = (name: BuiltInField) => name === 'selected_text' || name === 'last_reply'
  return [
    ...own,
    ...missing.map((name): InputField => {
      const type = isLong(name) ? 'long_text' : 'text'
      return { name, label: labelOf(name), type, required: false }
    }),
  ]
}

/** Fills the built-in fields of a default. A value that the field does not accept is dropped. */
function defaultOf(field: PromptField, value: string, builtIn: BuiltInValues): string {
  const filled = fillIn(value, field.type === 'date' ? rawValues(builtIn) : writtenValues(builtIn))
  return findFault({ type: field.type, ...(field.options && { options: field.options }) }, filled)
    ? ''
    : filled
}

/** Returns the text of a message: the prompt with what was filled in. Empty fields leave nothing behind. */
export function textOf(
  { text }: Pick<Template, 'text'>,
  fields: readonly InputField[],
  draft: Draft,
  builtIn: BuiltInValues,
): string {
  const values = new Map([...writtenValues(builtIn), ...valuesOf(fields, draft)])
  return fillIn(text, values)
}

/** Returns what each field writes into the text. */
export function valuesOf(fields: readonly InputField[], draft: Draft): Map<string, string> {
  return new Map(fields.map((field) => [field.name, writeValue(field, draft[field.name])]))
}

function writeValue({ type }: InputField, value: Draft[string]): string {
  if (typeof value === 'object') return value.map(({ name }) => name).join(', ')
  if (typeof value !== 'string') return ''
  if (type === 'date') return writeDay(value)
  return value.trim()
}

/** Returns the built-in values as they are written. */
export function writtenValues(builtIn: BuiltInValues): Map<string, string> {
  return new Map(Object.entries({ ...builtIn, today: writeDay(builtIn.today) }))
}

const rawValues = (builtIn: BuiltInValues) => new Map<string, string>(Object.entries(builtIn))

function writeDay(day: string): string {
  const date = new Date(`${day}T12:00:00`)
  return Number.isNaN(date.getTime()) ? day : formatDate(date, { dateStyle: 'long' })
}
