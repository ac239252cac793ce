import type { JsonSchema } from '../models/port.ts'
import type { Question } from '../runs/runs.ts'

/** One thing to do, and what to ask the person once it is done. */
export type PlannedStep = { task: string; question: Question | null }

/** What a person can be asked for; several together are one form. */
const inputTypes = ['text', 'json', 'boolean', 'document'] as const

/** What a plan may ask of a person, as models write it. */
export const questionSchema: JsonSchema = {
  type: 'object',
  description:
    'Something only the person can say or decide. Leave it out unless the work cannot go on without.',
  properties: {
    prompt: { type: 'string', description: 'The question, in the language of the person.' },
    input_types: { type: 'array', items: { type: 'string', enum: inputTypes } },
  },
  required: ['prompt'],
}

export const stepsSchema: JsonSchema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    properties: {
      description: {
        type: 'string',
        description: 'What to do, in at most 15 words, in the language of the person.',
      },
      question: questionSchema,
    },
    required: ['description'],
  },
}

export const planOutput = {
  name: 'plan',
  schema: { type: 'object', properties: { steps: stepsSchema }, required: ['steps'] },
}

/** Reads a plan whatever a model made of the schema: a bare list, strings, other names. A sentence when it is none. */
export function readPlan(value: unknown): PlannedStep[] | string {
  const list = Array.isArray(value) ? value : pick(value, ['steps', 'plan', 'tasks'])
  if (!Array.isArray(list)) return 'There is no list named "steps".'
  const steps = list.flatMap((entry) => readStep(entry) ?? [])
  return steps.length > 0 ? steps : 'The list of steps is empty.'
}

function readStep(entry: unknown): PlannedStep | null {
  const task =
    typeof entry === 'string' ? entry : pick(entry, ['description', 'task', 'title', 'step', 'name'])
  if (typeof task !== 'string' || task.trim() === '') return null
  return { task: task.trim(), question: readQuestion(pick(entry, ['question'])) }
}

/** A question of a plan or of a step; null when there is none. */
export function readQuestion(value: unknown): Question | null {
  const prompt = typeof value === 'string' ? value : pick(value, ['prompt', 'question', 'text'])
  if (typeof prompt !== 'string' || prompt.trim() === '') return null
  const named = pick(value, ['input_types', 'input_type', 'types', 'type'])
  const types = [named].flat().flatMap((type) => inputTypes.filter((known) => known === type))
  return { prompt: prompt.trim(), input_types: types.length > 0 ? [...new Set(types)] : ['text'] }
}

/** The first of these fields that an object has. */
export function pick(value: unknown, names: string[]): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = new Map(Object.entries(value))
  return names.map((name) => fields.get(name)).find((field) => field !== undefined)
}
