import type { RunContext } from '../../../runs/runs/runs.ts'
import type { AgentKit } from '../kit.ts'
import { sayWhere } from './ask-for-plan.ts'
import { type Query, readLines } from './queries.ts'
import { researchText } from './research-texts.ts'
import type { Searched } from './search-one.ts'

/** Returns the index of the question to search again; a new question gets the index after the last. Null for none. */
export async function askAgain(
  run: RunContext,
  { config }: Pick<AgentKit, 'config'>,
  searched: readonly Searched[],
  number: number,
): Promise<{ at: number; query: Query } | null> {
  const texts = researchText(run.input.language)
  const list = searched.map(({ query }, at) => `${at + 1}. ${query.question}`).join('\n')
  const { input, input_type } = await run.ask(`waiting_for_input_again_${number}`, {
    prompt: `${[texts.again, ...sayWhere(run.input, config)].join(' ')}\n\n${list}`,
    input_types: ['text'],
    skippable: true,
  })
  if (input_type === 'skipped') return null
  const [, named = '', words = ''] = /^\s*(\d{1,2})?[\s.:)–-]*([\s\S]*)$/.exec(String(input ?? '')) ?? []
  const before = searched[Number(named) - 1]
  const [query] = readLines(run.input, words || before?.query.question || '', [])
  if (!query) return null
  const at = before ? Number(named) - 1 : searched.length
  return { at, query: before ? { ...query, searches: before.query.searches } : query }
}
