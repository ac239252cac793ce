import type { ModelCall } from '../../../models/models/port.ts'
import type { RunInput } from '../../../runs/runs/runs.ts'
import { pick } from '../pick.ts'
import { readPlan } from '../planning/plan.ts'
import type { Budget } from './budget.ts'

/** The tools that search, in the order in which what they find is told. */
export const SEARCHES = ['web_search', 'document_search'] as const
export type Search = (typeof SEARCHES)[number]

/** One question of a research, and what it is searched for with. */
export type Query = { question: string; searches: Search[] }

/** What `web_search` takes. */
const QUESTION_MOST = 400

/** Asks for questions. The name is that of plans: a question is a step of one. */
export const queriesOutput: NonNullable<ModelCall['output']> = {
  name: 'plan',
  schema: {
    type: 'object',
    properties: {
      steps: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            description: {
              type: 'string',
              description:
                'One question that can be understood without anything else, in the language of the person.',
            },
            where: { type: 'string', enum: ['web', 'documents', 'both'] },
          },
          required: ['description'],
        },
      },
    },
    required: ['steps'],
  },
}

/** Which searches the run may make: the web always, documents where the chat has some. */
export function offeredSearches({ tools }: Pick<RunInput, 'tools'>): Search[] {
  return SEARCHES.filter((search) => tools.some(({ id, policy }) => id === search && policy !== 'never'))
}

/** Reads questions in the forms models give them, at most as many as there are searches. A sentence when there are none. */
export function readQueries(input: Pick<RunInput, 'tools' | 'library'>, { searches }: Budget) {
  return (value: unknown): Query[] | string => {
    const steps = readPlan(value)
    if (typeof steps === 'string') return steps
    const list = Array.isArray(value) ? value : pick(value, ['steps', 'plan', 'tasks'])
    const entries = Array.isArray(list) ? list.filter((entry) => typeof readPlan([entry]) !== 'string') : []
    return steps.slice(0, searches).map(({ task }, at) => ({
      question: task.slice(0, QUESTION_MOST),
      searches: chooseSearches(input, pick(entries[at], ['where', 'source', 'sources'])),
    }))
  }
}

/** Lines of a text as questions; those that were planned keep their searches. */
export function readLines(
  input: Pick<RunInput, 'tools' | 'library'>,
  text: string,
  planned: readonly Query[],
): Query[] {
  const lines = text.split('\n').flatMap((line) => {
    const question = line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s/, '').trim()
    return question === '' ? [] : [question.slice(0, QUESTION_MOST)]
  })
  return [...new Set(lines)].map(
    (question) =>
      planned.find((one) => one.question === question) ?? {
        question,
        searches: chooseSearches(input, undefined),
      },
  )
}

function chooseSearches(input: Pick<RunInput, 'tools' | 'library'>, where: unknown): Search[] {
  const offered = offeredSearches(input)
  const wanted: Record<string, readonly Search[]> = {
    web: ['web_search'],
    documents: ['document_search'],
    both: SEARCHES,
  }
  const chosen = wanted[String(where)] ?? (input.library ? SEARCHES : ['web_search'])
  const possible = offered.filter((search) => chosen.includes(search))
  return possible.length > 0 ? possible : offered
}
