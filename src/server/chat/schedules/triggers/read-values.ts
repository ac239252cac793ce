import { MAX_FIELDS, type PromptField } from '#shared/chat/prompts/fields.ts'
import type { CallData } from '#shared/chat/schedules/triggers.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findFault } from '#shared/runs/input-requests/field-value.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'

const MAX_VALUE_CHARACTERS = 10_000

/**
 * Returns the texts that a call gives to the fields of a schedule. Lists and objects become JSON. Other names are left out.
 * @throws AppError `invalid` for a value that its field does not accept, and for a needed one that is missing
 */
export function readValues(fields: readonly PromptField[], data: CallData): Record<string, string> {
  const values: Record<string, string> = {}
  for (const field of fields.slice(0, MAX_FIELDS)) {
    const { name, required, value: byDefault = '' } = field
    const value = Object.hasOwn(data, name) ? textOf(data[name]) : ''
    if (value.trim() === '') {
      if (required && byDefault.trim() === '') throw new AppError('invalid', `“${name}” is missing.`)
      continue
    }
    assertFits(field, value)
    values[name] = value
  }
  return values
}

function assertFits({ name, type, options }: PromptField, value: string): void {
  if (value.length > MAX_VALUE_CHARACTERS)
    throw new AppError('invalid', `“${name}” is longer than 10,000 characters.`)
  const fault = findFault({ type, ...(options && { options }) }, value)
  if (fault) throw new AppError('invalid', `“${name}” ${faults[fault]}.`)
}

const faults = {
  choice: 'is none of the choices of this field',
  number: 'is not a number',
  date: 'is not a date such as 2027-01-31',
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return cleanCharacters(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
