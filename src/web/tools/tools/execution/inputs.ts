import type { Tool, ToolProperty } from '#shared/tools/tools/tools.ts'

/** Form control of an input. */
export type InputKind = 'text' | 'number' | 'boolean' | 'choice' | 'json'

/** Returns the form control for a JSON schema. A number that also allows digits as text is a number. */
export function inputKind({ type, enum: choices, anyOf }: ToolProperty): InputKind {
  if (choices) return 'choice'
  const types = [type ?? (anyOf as ToolProperty[] | undefined)?.flatMap((one) => one.type ?? []) ?? []].flat()
  if (types.includes('number') || types.includes('integer')) return 'number'
  if (types.includes('boolean')) return 'boolean'
  return types.length === 0 || types.includes('string') ? 'text' : 'json'
}

/** Input names for documents and workspaces, which users select by name. */
export type ChosenByName = 'document_ids' | 'workspace_ids'

/** Returns whether an input holds ids that users select by name. */
export const isChosenByName = (name: string): name is ChosenByName =>
  name === 'document_ids' || name === 'workspace_ids'

/** Returns whether a text input may have several lines. */
export const isLong = ({ maxLength = 0 }: ToolProperty): boolean => maxLength >= 10_000

/** Parses a field holding a list of ids. Ignores invalid ones. */
export function idsIn(value: string): string[] {
  const found = readValue({ type: 'array' }, value)
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
}

/** Returns initial form values as text: the inputs of a call, or the schema's defaults. A choice starts with its first value. */
export function startValues(
  { input_schema }: Pick<Tool, 'input_schema'>,
  given: unknown = null,
): Record<string, string> {
  const inputs = asInputs(given)
  return Object.fromEntries(
    Object.entries(input_schema.properties).map(([name, property]) => {
      const { default: fallback, enum: choices } = property
      const value = inputs ? inputs[name] : fallback
      if (value !== undefined && value !== null)
        return [name, typeof value === 'string' ? value : JSON.stringify(value)]
      const hasFirst = !inputs && choices && input_schema.required?.includes(name)
      return [name, hasFirst ? String(choices[0]) : '']
    }),
  )
}

/** Converts form values to tool inputs. Omits empty values; text that is not a number stays text. */
export function readValues(
  { input_schema }: Pick<Tool, 'input_schema'>,
  values: Record<string, string>,
): Record<string, unknown> {
  const filled = Object.entries(values).filter(([, value]) => value.trim() !== '')
  return Object.fromEntries(
    filled.map(([name, value]) => [name, readValue(input_schema.properties[name] ?? {}, value)]),
  )
}

function readValue(property: ToolProperty, value: string): unknown {
  const kind = inputKind(property)
  if (kind === 'choice') return (property.enum ?? []).find((choice) => String(choice) === value) ?? value
  if (kind === 'boolean') return value === 'true'
  if (kind === 'number') return readNumber(value)
  if (kind !== 'json') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

/** Keeps numbers beyond double precision as text, so that the tool receives every digit. */
function readNumber(value: string): number | string {
  const text = value
    .trim()
    .replace(/(?<=\d)[\s\u00a0\u202f](?=\d)/g, '')
    .replace(/^([+-]?\d+),(\d+)$/, '$1.$2')
  const number = Number(text)
  return Number.isFinite(number) &&
    String(number).length >= text.replace(/^\+|\.0+$|(?<![.0])0+$/g, '').length
    ? number
    : text
}

/** Returns the inputs of a call, or null when they are not an object, such as truncated JSON. */
export function asInputs(input: unknown): Record<string, unknown> | null {
  const isInputs = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isInputs ? (input as Record<string, unknown>) : null
}
