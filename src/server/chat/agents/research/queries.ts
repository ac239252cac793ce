import type { ModelCall } from '../../../models/models/port.ts'
import type { RunInput } from '../../../runs/runs/runs.ts'
import { pick } from '../pick.ts'
import { readPlan } from '../planning/plan.ts'
import type { Budget } from './budget.ts'

/** The search tools, in the order of their results. */
export const SEARCHES = ['web_search', 'document_search'] as const
export type Search = (typeof SEARCHES)[number]

/** One research question and its search tools. */
export type Query = { question: string; searches: Search[] }

/** Maximum question length of `web_search`. */
const QUESTION_MOST = 400

/** Output schema for questions. It uses the names of plans, because a question is a plan step. */
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

/** Returns the available searches: the web always, documents when the chat has any. */
export function offeredSearches({ tools }: Pick<RunInput, 'tools'>): Search[] {
  return SEARCHES.filter((search) => tools.some(({ id, policy }) => id === search && policy !== 'never'))
}

/** Parses questions in the forms models produce, up to the search budget. Returns an error message when there are none. */
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

/** Parses lines as questions. Planned questions keep their searches. */
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
