import type { JsonSchema } from '../../port.ts'

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])
/** Names of the same types in other languages. */
const ALIASES = new Map([
  ...[
    ['str', 'string'],
    ['text', 'string'],
    ['date', 'string'],
    ['datetime', 'string'],
    ['enum', 'string'],
  ],
  ...[
    ['int', 'integer'],
    ['long', 'integer'],
    ['float', 'number'],
    ['double', 'number'],
    ['decimal', 'number'],
  ],
  ...[
    ['bool', 'boolean'],
    ['list', 'array'],
    ['tuple', 'array'],
    ['dict', 'object'],
    ['map', 'object'],
  ],
] as [string, string][])

/** Returns the types that a schema names, as JSON Schema calls them. */
export function typesOf({ type }: JsonSchema): string[] {
  const named = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string')
  const known = named.map((one) => ALIASES.get(one.toLowerCase()) ?? one.toLowerCase())
  return [...new Set(known)].filter((one) => TYPES.has(one))
}

export const list = (value: unknown): JsonSchema[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
export const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
export const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
