import type { ModelPort } from '#shared/tools/tools/code-port.ts'
import { modelOf, payInStep } from '../../knowledge/rag/rag.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { askQuietly } from '../../models/models/asking/ask-quietly.ts'
import type { ModelMessage } from '../../models/models/port.ts'
import type { Leaf, RunContext } from '../../runs/runs/runs.ts'

/** Gives a tool access to the model of its run. `paying` is the current step. */
export function createModelPort(
  kit: Pick<ModelDeps, 'db' | 'models' | 'grants'>,
  { input }: Pick<RunContext, 'input'>,
  signal: AbortSignal,
  paying: () => Leaf | null,
): ModelPort {
  return {
    ask: async ({ system, turns }, onText) => {
      const model = input.model_name || (await modelOf(kit, input))
      const messages: ModelMessage[] = [
        { role: 'system', content: system },
        ...turns.map(({ role, text }) => ({ role, content: [{ type: 'text' as const, text }] })),
      ]
      const leaf = paying()
      await leaf?.reserve(model, { messages, tools: [] })
      const caller = { person: input.user_id, is_background: false }
      const question = {
        model,
        messages,
        signal,
        caller,
        language: input.language,
        ...(onText ? { onText } : {}),
      }
      const payer = payInStep(kit, input.user_id, () => leaf, 'tool')
      return askQuietly(kit, question, payer.bill, payer)
    },
  }
}
