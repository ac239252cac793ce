import { AppError } from '#shared/platform/errors.ts'
import type { ChildOutcome, ComparedModel, RunContext } from '../../runs/runs/runs.ts'
import { keepAlternatives } from './comparison-store.ts'
import type { AgentKit } from './kit.ts'
import { tell } from './plan-and-act.ts'

/** The key of a model's sub-run. */
export const keyOfModel = (number: number): string => `model${number}`

/**
 * Has several models answer the same message at the same time. A model that fails leaves the others alone. In the end each reply becomes
 * an alternative of this one, which holds all of them for a chat that continues without a choice.
 */
export async function compareModels(run: RunContext, kit: AgentKit): Promise<void> {
  const { compared = [] } = run.input
  const outcomes = await Promise.all(compared.map((model, at) => answerWith(run, kit, model, at + 1)))
  const failed = outcomes.filter(({ state }) => state === 'failed')
  if (failed.length === outcomes.length) throw new AppError('provider_failed', failed[0]?.text ?? '')
  await run.step('alternatives', async (leaf) => {
    leaf.emit({ event: 'response_stream_start', message_id: run.input.message_id })
    leaf.emit({ event: 'response_chunk', content: joinReplies(compared, outcomes) })
    leaf.emit({ event: 'response_stream_end', message_id: run.input.message_id })
    leaf.together((trx) => keepAlternatives(trx, run.id, run.input, outcomes))
    return null
  })
  await run.checkpoint('completed', 'completed')
}

async function answerWith(
  run: RunContext,
  kit: AgentKit,
  { name, ...model }: ComparedModel,
  number: number,
): Promise<ChildOutcome> {
  const timestamp = kit.clock.now().toISOString()
  const started = { number, description: name, single_step: false, timestamp }
  await tell(run, `step${number}:start`, [{ event: 'agent_step_started', ...started }])
  return run.child(keyOfModel(number), { number, input: { ...model, is_alternative: true } })
}

function joinReplies(compared: readonly ComparedModel[], outcomes: readonly ChildOutcome[]): string {
  return compared
    .flatMap(({ name }, at) => {
      const outcome = outcomes[at]
      return outcome?.state === 'completed' ? [`## ${name}\n\n${outcome.text}`] : []
    })
    .join('\n\n')
}
