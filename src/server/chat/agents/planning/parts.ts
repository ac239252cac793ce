import type { ModelCall } from '../../../models/models/port.ts'
import type { FrozenAssistant } from '../../../runs/runs/runs.ts'
import { pick } from '../pick.ts'
import { readPlan } from './plan.ts'

/** One part of a task: its assistant, and the numbers of the parts it depends on. */
export type Part = { number: number; task: string; assistant: FrozenAssistant; after: number[] }

/** Output schema for parts. It uses the names of plans, because a part is a plan step. */
export function partsOutput(assistants: FrozenAssistant[]): NonNullable<ModelCall['output']> {
  const description =
    'Everything the assistant has to know: it sees nothing but this and the results it waits for.'
  const part = {
    type: 'object',
    properties: {
      description: { type: 'string', description },
      assistant: { type: 'string', enum: assistants.map(({ name }) => name) },
      after: {
        type: 'array',
        items: { type: 'integer' },
        description: 'Numbers of the parts it needs results of.',
      },
    },
    required: ['description', 'assistant'],
  }
  const steps = { type: 'array', minItems: 1, items: part }
  return { name: 'plan', schema: { type: 'object', properties: { steps }, required: ['steps'] } }
}

/** Parses parts. An unknown assistant becomes the first one. A part can depend only on earlier parts. */
export function readParts(assistants: FrozenAssistant[], most: number) {
  return (value: unknown): Part[] | string => {
    const steps = readPlan(value)
    if (typeof steps === 'string') return steps
    const entries = listOf(value)
    const [fallback] = assistants
    if (!fallback) return 'There are no assistants.'
    return steps.slice(0, most).map(({ task }, at) => {
      const named = pick(entries[at], ['assistant', 'assistant_id', 'agent', 'who'])
      const assistant = assistants.find(({ id, name }) => id === named || name === named) ?? fallback
      const given = pick(entries[at], ['after', 'depends_on', 'needs'])
      const after = [given]
        .flat()
        .map(Number)
        .filter((number) => number >= 1 && number <= at)
      return { number: at + 1, task, assistant, after: [...new Set(after)] }
    })
  }
}

/** Returns the raw entries of a plan, including those that `readPlan` drops. */
function listOf(value: unknown): unknown[] {
  const list = Array.isArray(value) ? value : pick(value, ['steps', 'plan', 'tasks'])
  return Array.isArray(list) ? list.filter((entry) => typeof readPlan([entry]) !== 'string') : []
}
