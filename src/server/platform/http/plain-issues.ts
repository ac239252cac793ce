import type * as z from 'zod'
import type { FieldError } from '#shared/platform/errors.ts'

/** Describes what is wrong with a value, in words that follow its name: `title` `is required`. */
export function describeIssues(issues: z.core.$ZodIssue[], value: unknown): FieldError[] {
  return issues.map((issue) => ({
    path: issue.path.join('.'),
    message: describe(issue, valueAt(value, issue.path)),
  }))
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined && issue.code !== 'custom') return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? 'another kind of value'}`
    case 'too_small':
      return describeSize(issue.origin, 'at least', Number(issue.minimum))
    case 'too_big':
      return describeSize(issue.origin, 'at most', Number(issue.maximum))
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'invalid_format':
      return formats[issue.format] ?? 'is not written in the form that is needed'
    case 'unrecognized_keys':
      return `has fields nobody knows: ${issue.keys.slice(0, 5).join(', ').slice(0, 200)}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_key':
      return 'has a name that is not accepted'
    case 'custom':
      return issue.message
    default:
      return 'is none of the forms that are accepted'
  }
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
}

const formats: Record<string, string> = {
  email: 'must be an email address',
  url: 'must be an address that starts with http:// or https://',
  uuid: 'must be an id',
  datetime: 'must be a date and time such as 2026-01-31T12:00:00Z',
}

function describeSize(origin: string, bound: string, count: number): string {
  if (origin === 'string') {
    if (bound === 'at least' && count === 1) return 'must not be empty'
    return `must have ${bound} ${count} ${count === 1 ? 'character' : 'characters'}`
  }
  if (origin === 'array' || origin === 'set' || origin === 'map') {
    return `must have ${bound} ${count} ${count === 1 ? 'entry' : 'entries'}`
  }
  return `must be ${bound} ${count}`
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<PropertyKey, unknown>)[key]
  }
  return found
}
