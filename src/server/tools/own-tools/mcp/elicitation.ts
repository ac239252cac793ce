import { cleanLabel, cleanProse } from '#shared/platform/labels.ts'
import type { InputField } from '#shared/runs/runs/request.ts'
import type { ToolQuestion } from '#shared/tools/tools/tool.ts'
import type { Elicitation, ElicitationAnswer } from '../../../platform/mcp/mcp.ts'

/** Maximum fields per question, and maximum characters shown. */
const MAX_FIELDS = 20
const MAX_PROMPT_CHARACTERS = 4_000
const MAX_LABEL_CHARACTERS = 300

type Property = {
  type?: string
  title?: string
  description?: string
  enum?: string[]
  oneOf?: { const: string; title?: string }[]
  items?: { enum?: string[]; anyOf?: { const: string; title?: string }[] }
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}
type Value = string | number | boolean | string[]

/** Converts a server's request to a question for a person. `wrong` says what was invalid about the previous answer. */
export function questionOf(serverName: string, asked: Elicitation, wrong: string | null): ToolQuestion {
  const told = [`${serverName}: ${asked.message}`, ...(wrong === null ? [] : [wrong])].join('\n\n')
  const fields = fieldsOf(asked)
  return {
    prompt: cleanProse(told.slice(0, MAX_PROMPT_CHARACTERS)),
    input_types: fields.length > 0 ? ['composite'] : ['boolean'],
    ...(fields.length > 0 && { fields }),
    skippable: true,
  }
}

/** Converts a person's answer to the server's format, or returns its error. Skipping a question declines it. */
export function readAnswer(
  asked: Elicitation,
  { input, input_type }: { input: unknown; input_type: string },
): { ok: true; answer: ElicitationAnswer } | { ok: false; wrong: string } {
  if (input_type === 'skipped') return { ok: true, answer: { action: 'decline' } }
  const properties = propertiesOf(asked)
  if (properties.length === 0)
    return { ok: true, answer: { action: input === false ? 'decline' : 'accept', content: {} } }
  const given = input_type === 'composite' ? Object(input) : { [properties[0]?.[0] ?? '']: input }
  const required = requiredOf(asked)
  const content: Record<string, Value> = {}
  const wrong: string[] = []
  for (const [name, property] of properties) {
    const read = readValue(property, (given as Record<string, unknown>)[name])
    if (read.wrong) wrong.push(`${labelOf(name, property)}: ${read.wrong}`)
    else if (read.value !== undefined) content[name] = read.value
    else if (required.has(name)) wrong.push(`${labelOf(name, property)}: it is needed.`)
  }
  if (wrong.length > 0) return { ok: false, wrong: wrong.join('\n') }
  return { ok: true, answer: { action: 'accept', content } }
}

function fieldsOf(asked: Elicitation): InputField[] {
  const required = requiredOf(asked)
  return propertiesOf(asked).map(([name, property]) => ({
    ...{ name, label: labelOf(name, property), required: required.has(name) },
    type: property.type === 'boolean' ? ('boolean' as const) : ('text' as const),
  }))
}

function propertiesOf({ requestedSchema }: Elicitation): [string, Property][] {
  const { properties } = Object(requestedSchema) as { properties?: Record<string, Property> }
  return Object.entries(properties ?? {})
    .filter(([name, property]) => name.length <= 100 && typeof property === 'object' && property !== null)
    .slice(0, MAX_FIELDS)
}

function requiredOf({ requestedSchema }: Elicitation): Set<unknown> {
  const { required } = Object(requestedSchema) as { required?: unknown }
  return new Set(Array.isArray(required) ? required : [])
}

type Choice = { value: string; title: string }

/** Returns the choices of a field; an empty list for free text. */
function choicesOf({ enum: plain, oneOf, items }: Property): Choice[] {
  const titled = oneOf ?? items?.anyOf
  if (titled) return titled.map(({ const: value, title = value }) => ({ value, title }))
  return (plain ?? items?.enum ?? []).map((value) => ({ value: String(value), title: String(value) }))
}

function labelOf(name: string, property: Property): string {
  const { title = name, description, minimum, maximum } = property
  const choices = choicesOf(property).map((choice) => choice.title)
  const bounds = [minimum, maximum].every((bound) => bound !== undefined) ? `${minimum} – ${maximum}` : ''
  const also = [description ?? '', choices.join(', '), bounds].filter(Boolean).join(' · ')
  return cleanLabel((also === '' ? title : `${title} (${also})`).slice(0, MAX_LABEL_CHARACTERS))
}

type Read = { value?: Value; wrong?: string }

function readValue(property: Property, given: unknown): Read {
  if (given === undefined || given === null || given === '') return {}
  if (property.type === 'boolean') return { value: given === true || given === 'true' }
  const written = String(given).trim()
  if (property.type === 'number' || property.type === 'integer') return readNumber(property, written)
  const choices = choicesOf(property)
  const choose = (text: string) =>
    choices.find(({ value, title }) => [value, title].some((one) => isSame(one, text)))?.value
  const named = choices.map(({ title }) => title).join(', ')
  if (property.type === 'array') {
    const chosen = written.split(',').map((text) => choose(text.trim()))
    if (chosen.some((one) => one === undefined)) return { wrong: `choose among ${named}.` }
    return { value: chosen.filter((one) => one !== undefined) }
  }
  if (choices.length > 0) {
    const chosen = choose(written)
    return chosen === undefined ? { wrong: `choose one of ${named}.` } : { value: chosen }
  }
  const { minLength = 0, maxLength = 10_000 } = property
  if (written.length < minLength || written.length > maxLength)
    return { wrong: `it must have ${minLength} to ${maxLength} characters.` }
  return { value: written }
}

function readNumber({ type, minimum, maximum }: Property, written: string): Read {
  const value = Number(written.replace(',', '.'))
  if (!Number.isFinite(value)) return { wrong: 'it is not a number.' }
  if (type === 'integer' && !Number.isInteger(value)) return { wrong: 'it is not a whole number.' }
  if (minimum !== undefined && value < minimum) return { wrong: `it must be at least ${minimum}.` }
  if (maximum !== undefined && value > maximum) return { wrong: `it must be at most ${maximum}.` }
  return { value }
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
