import { FieldType, type InputField } from '#shared/runs/runs/request.ts'
import type { JsonSchema, ModelTool } from '../../models/models/port.ts'
import type { Answer, Question } from '../../runs/runs/runs.ts'
import { pick } from './pick.ts'

/** Input types that need no named fields. */
const inputTypes = ['text', 'json', 'boolean', 'document'] as const

/** Maximum fields per form. */
const MAX_FIELDS = 12
const MAX_NAME = 60

const fieldSchema: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'The key of its value in the answer.' },
    label: { type: 'string', description: 'What stands over the field, in the language of the person.' },
    type: { type: 'string', enum: FieldType.options.filter((type) => type !== 'file') },
    options: { type: 'array', items: { type: 'string' }, description: 'The answers of a choice.' },
    required: { type: 'boolean' },
  },
  required: ['name', 'label', 'type'],
}

/** Schema of a question as models write it. */
export const questionSchema: JsonSchema = {
  type: 'object',
  description:
    'Something only the person can say or decide. Leave it out unless the work cannot go on without.',
  properties: {
    prompt: { type: 'string', description: 'The question, in the language of the person.' },
    input_types: { type: 'array', items: { type: 'string', enum: inputTypes } },
    fields: {
      type: 'array',
      maxItems: MAX_FIELDS,
      items: fieldSchema,
      description: 'Several things asked for at once, one field of a form each; instead of input_types.',
    },
    skippable: {
      type: 'boolean',
      description: 'True when the work can go on without an answer: the person may then skip the question.',
    },
  },
  required: ['prompt'],
}

/** Returns the control tool for asking the user. `description` says when to use it. */
export function askPersonTool(description: string): ModelTool {
  return { name: 'ask_person', description, input_schema: questionSchema }
}

/** Parses a question in the forms models produce. Returns null when there is none. */
export function readQuestion(value: unknown): Question | null {
  const prompt = typeof value === 'string' ? value : pick(value, ['prompt', 'question', 'text'])
  if (typeof prompt !== 'string' || prompt.trim() === '') return null
  const skippable = pick(value, ['skippable', 'can_skip']) === true
  const fields = readFields(pick(value, ['fields', 'inputs']))
  return {
    prompt: prompt.trim(),
    ...(fields.length > 0 ? asForm(fields) : { input_types: readTypes(value) }),
    ...(skippable && { skippable }),
  }
}

function asForm(fields: InputField[]): Pick<Question, 'input_types' | 'fields'> {
  return { input_types: fields.length > 1 ? ['composite'] : fields.map(({ type }) => type), fields }
}

function readTypes(value: unknown): string[] {
  const named = pick(value, ['input_types', 'input_type', 'types', 'type'])
  const types = [named].flat().flatMap((type) => inputTypes.filter((known) => known === type))
  return types.length > 0 ? [...new Set(types)] : ['text']
}

function readFields(value: unknown): InputField[] {
  const entries = Array.isArray(value) ? value : []
  const fields = new Map<string, InputField>()
  for (const entry of entries) {
    const field = readField(entry)
    if (field && !fields.has(field.name)) fields.set(field.name, field)
  }
  return [...fields.values()].slice(0, MAX_FIELDS)
}

function readField(entry: unknown): InputField | null {
  const textOf = (...names: string[]) =>
    [typeof entry === 'string' ? entry : pick(entry, names)]
      .map((text) => (typeof text === 'string' ? text.trim() : ''))
      .join('')
  const name = textOf('name', 'key', 'id', 'label').slice(0, MAX_NAME)
  // A request body cannot contain this name.
  if (name === '' || name === '__proto__') return null
  const label = textOf('label', 'title', 'name').slice(0, 200) || name
  const options = readOptions(pick(entry, ['options', 'choices', 'enum']))
  const type = readType(pick(entry, ['type']))
  const required = pick(entry, ['required']) === true
  if (type !== 'choice') return { name, label, type, required }
  // A choice without answers can only be typed.
  return options.length > 0
    ? { name, label, type, required, options }
    : { name, label, type: 'text', required }
}

/** Maximum answers of a choice. */
const MAX_OPTIONS = 50

function readOptions(value: unknown): string[] {
  const entries = Array.isArray(value) ? value : []
  const texts = entries.flatMap((entry) => (typeof entry === 'string' ? [entry.trim().slice(0, 200)] : []))
  return [...new Set(texts)].filter(Boolean).slice(0, MAX_OPTIONS)
}

/** Field types by name and by synonym. */
const types = new Map<unknown, FieldType>([
  ...FieldType.options.map((type) => [type, type] as const),
  ['file', 'document'],
  ['bool', 'boolean'],
  ['select', 'choice'],
  ['integer', 'number'],
  ['textarea', 'long_text'],
  ['object', 'json'],
  ['array', 'json'],
])

function readType(value: unknown): FieldType {
  return types.get(value) ?? 'text'
}

/** Formats an answer for the model. */
export function sayAnswer({ input, input_type }: Answer): string {
  if (input_type === 'skipped') return 'The person skipped this question. Go on without an answer.'
  return typeof input === 'string' ? input : JSON.stringify(input)
}
