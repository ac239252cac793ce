import type { JsonSchema } from '../../../models/models/port.ts'
import type { Question } from '../../../runs/runs/runs.ts'
import { pick } from '../pick.ts'
import { questionSchema, readQuestion } from '../question.ts'

/** One task, and the question to ask afterwards. */
export type PlannedStep = { task: string; question: Question | null }

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

/**
 * Parses a plan in the forms models produce: by the schema, as a bare list, as strings, or under other names. Returns an
 * error message when it is none.
 */
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
