import type { Tool, ToolProperty } from '#shared/tools/tools/tools.ts'

/** How an input is asked for. */
export type InputKind = 'text' | 'number' | 'boolean' | 'choice' | 'json'

/** The kind of an input by its JSON schema; what is a number or its digits is a number. */
export function inputKind({ type, enum: choices, anyOf }: ToolProperty): InputKind {
  if (choices) return 'choice'
  const types = [type ?? (anyOf as ToolProperty[] | undefined)?.flatMap((one) => one.type ?? []) ?? []].flat()
  if (types.includes('number') || types.includes('integer')) return 'number'
  if (types.includes('boolean')) return 'boolean'
  return types.length === 0 || types.includes('string') ? 'text' : 'json'
}

/** What tools call documents and workspaces; they are chosen by name. */
export type ChosenByName = 'document_ids' | 'workspace_ids'

/** Whether an input holds ids that people choose by name. */
export const isChosenByName = (name: string): name is ChosenByName =>
  name === 'document_ids' || name === 'workspace_ids'

/** Whether a text may have many lines. */
export const isLong = ({ maxLength = 0 }: ToolProperty): boolean => maxLength >= 10_000

/** The ids of a field that holds a list of them; what is none is left out. */
export function idsIn(value: string): string[] {
  const found = readValue({ type: 'array' }, value)
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
}

/** What the form begins with, as text: the inputs of a call, else the schema's defaults; a choice has its first value. */
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

/** The inputs as the tool takes them; what is empty is left out, and text that is no number stays text. */
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

/** Digits a number of the machine cannot hold stay text, so that the tool gets all of them. */
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

/** The inputs of a call; null for what is none, such as JSON that broke off. */
export function asInputs(input: unknown): Record<string, unknown> | null {
  const isInputs = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isInputs ? (input as Record<string, unknown>) : null
}
