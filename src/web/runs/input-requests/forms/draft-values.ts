import type { DraftKind } from '#shared/runs/runs/request.ts'

type Values = Record<string, unknown>
export type DraftField = {
  name: string
  control: 'fixed' | 'people' | 'line' | 'text' | 'time'
  required?: true
  /** Hidden until the person asks for it, unless it has a value. */
  extra?: true
}

/** The fields of a draft in their order. Everything that happens is among it. */
export const fieldsOfDraft: Record<DraftKind, readonly DraftField[]> = {
  mail: [
    { name: 'from', control: 'fixed' },
    { name: 'to', control: 'people', required: true },
    { name: 'cc', control: 'people', extra: true },
    { name: 'bcc', control: 'people', extra: true },
    { name: 'subject', control: 'line' },
    { name: 'body', control: 'text' },
  ],
  event: [
    { name: 'account', control: 'fixed' },
    { name: 'title', control: 'line', required: true },
    { name: 'starts', control: 'time', required: true },
    { name: 'ends', control: 'time', required: true },
    { name: 'place', control: 'line' },
    { name: 'guests', control: 'people' },
    { name: 'body', control: 'text' },
  ],
  ticket: [
    { name: 'account', control: 'fixed' },
    { name: 'project', control: 'line', required: true },
    { name: 'kind', control: 'line' },
    { name: 'title', control: 'line', required: true },
    { name: 'body', control: 'text' },
  ],
  filing: [
    { name: 'account', control: 'fixed' },
    { name: 'subject', control: 'fixed' },
    { name: 'folder', control: 'line', required: true },
  ],
}

/** Returns a value of a draft as the text of its control. */
export function showValue({ control }: DraftField, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (control === 'people' && Array.isArray(value)) return value.join(', ')
  if (control === 'time') return toLocal(String(value))
  return String(value)
}

/** Returns the time of a draft on the clock of this browser; empty for a text that is no time. */
function toLocal(value: string): string {
  const at = new Date(value)
  if (Number.isNaN(at.getTime())) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`
}

const ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/
const split = (text: string) => text.split(/[,;\s]+/).filter((one) => one !== '')

export type DraftFault = { key: 'required' | 'time_wrong' } | { key: 'address_wrong'; address: string }

/** Returns what is wrong with a text; null when it can be sent. */
export function faultOf({ control, required }: DraftField, text: string): DraftFault | null {
  if (text.trim() === '') return required ? { key: control === 'time' ? 'time_wrong' : 'required' } : null
  if (control === 'time') return Number.isNaN(new Date(text).getTime()) ? { key: 'time_wrong' } : null
  const address = control === 'people' ? split(text).find((one) => !ADDRESS.test(one)) : undefined
  return address === undefined ? null : { key: 'address_wrong', address }
}

/** Returns the arguments of a call for the texts of its draft. Untouched values stay as they were. */
export function readDraft(
  fields: readonly DraftField[],
  texts: Record<string, string>,
  original: Values,
): Values {
  const values = { ...original }
  for (const field of fields) {
    const text = texts[field.name] ?? ''
    if (field.control === 'fixed' || text === showValue(field, original[field.name])) continue
    const value = readText(field, text)
    if (value === undefined) delete values[field.name]
    else values[field.name] = value
  }
  return values
}

function readText({ name, control }: DraftField, text: string): unknown {
  if (control === 'people') return split(text)
  // A mail has a text, which may be empty.
  if (text.trim() === '') return name === 'body' ? '' : undefined
  return control === 'time' ? new Date(text).toISOString() : control === 'line' ? text.trim() : text
}
