/** An argument of a call and its control. */
export type Argument = {
  name: string
  control: 'line' | 'area' | 'number' | 'boolean' | 'choice' | 'json'
  options: string[]
}

type Schema = { [key: string]: unknown }

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the controls of a call's arguments in the order of the tool's schema; unknown ones are last. */
export function argumentsOf(schema: unknown, input: Record<string, unknown>): Argument[] {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
  const names = [...new Set([...Object.keys(properties), ...Object.keys(input)])]
  return names.map((name) => ({ name, ...controlOf(properties[name], input[name]) }))
}

const LONG = 60

function controlOf(schema: unknown, value: unknown): Omit<Argument, 'name'> {
  const options = isObject(schema) && Array.isArray(schema.enum) ? schema.enum.map(String) : []
  if (options.length > 0) return { control: 'choice', options }
  const types = typesOf(schema, value)
  if (types.has('object') || types.has('array')) return { control: 'json', options }
  if (types.has('boolean')) return { control: 'boolean', options }
  const isLong = typeof value === 'string' && (value.length > LONG || value.includes('\n'))
  if (types.has('string')) return { control: isLong ? 'area' : 'line', options }
  return { control: types.has('number') || types.has('integer') ? 'number' : 'json', options }
}

function typesOf(schema: unknown, value: unknown): Set<string> {
  const types = new Set<string>()
  const read = (part: unknown) => {
    if (!isObject(part)) return
    for (const type of Array.isArray(part.type) ? part.type : [part.type]) if (type) types.add(String(type))
    for (const key of ['anyOf', 'oneOf', 'allOf']) if (Array.isArray(part[key])) part[key].forEach(read)
  }
  read(schema)
  if (types.size === 0) types.add(Array.isArray(value) ? 'array' : typeof value)
  return types
}

/** Formats an argument for its control. */
export function showArgument({ control }: Argument, value: unknown): string {
  if (value === undefined || value === null) return ''
  return control === 'json' || typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/**
 * Parses typed text; `original` decides between a number and its digits. An empty control omits the argument. @throws
 * SyntaxError for invalid JSON
 */
export function readArgument({ control }: Argument, text: string, original: unknown): unknown {
  if (text === showArgument({ name: '', control, options: [] }, original)) return original
  if (text.trim() === '') return undefined
  if (control === 'json') return JSON.parse(text)
  if (control === 'boolean') return text === 'true'
  const isNumber = control === 'number' || typeof original === 'number'
  // French writes decimals with a comma.
  const number = Number(text.trim().replace(/^([+-]?\d+),(\d+)$/, '$1.$2'))
  return isNumber && Number.isFinite(number) ? number : text
}
