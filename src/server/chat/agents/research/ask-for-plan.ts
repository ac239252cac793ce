import { AppError } from '#shared/platform/errors.ts'
import { addressesOfEngines } from '../../../knowledge/web-search/web-search.ts'
import type { RunContext, RunInput } from '../../../runs/runs/runs.ts'
import { hostsOf } from '../../../tools/outward/outward.ts'
import type { AgentKit } from '../kit.ts'
import type { Budget } from './budget.ts'
import { offeredSearches, type Query, readLines } from './queries.ts'
import { researchText } from './research-texts.ts'

/**
 * Shows the plan with its budget; the user approves it or edits its lines. When no user returns to the chat,
 * the plan is used as it is.
 * @throws AppError `not_available` when neither search may be used
 */
export async function askForPlan(
  run: RunContext,
  { config }: Pick<AgentKit, 'config'>,
  planned: Query[],
  budget: Budget,
): Promise<Query[]> {
  const { input } = run
  const texts = researchText(input.language)
  if (offeredSearches(input).length === 0) throw new AppError('not_available', texts.noSearch)
  if (input.is_program) return planned
  const given = await run.ask('waiting_for_input_plan', {
    prompt: [texts.approve(budget), ...sayWhere(input, config)].join(' '),
    input_types: ['text'],
    fields: [
      {
        ...{ name: 'questions', label: texts.questions, type: 'text', required: true },
        value: planned.map(({ question }) => question).join('\n'),
      },
    ],
  })
  const lines = readLines(input, String(given.input ?? ''), planned)
  return lines.length > 0 ? lines : planned
}

/** Returns where the queries are sent. Approving the plan approves that too. */
export function sayWhere(input: RunInput, config: AgentKit['config']): string[] {
  if (!offeredSearches(input).includes('web_search')) return []
  return [researchText(input.language).leaves(hostsOf(addressesOfEngines(config)).join(', '))]
}
