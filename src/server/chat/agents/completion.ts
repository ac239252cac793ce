import type { Fallback } from '#shared/runs/runs/blocks.ts'
import type { FinishReason, ReasoningPart, TextPart, ToolCallPart, Usage } from '../../models/models/port.ts'
import type { Completion, Leaf, RunContext } from '../../runs/runs/runs.ts'
import type { AgentKit } from './kit.ts'
import { estimateUsage, takePart } from './model/call-model.ts'
import { beginAsking, streamOrFallBack } from './model/fall-back.ts'
import { createScreen, endOf } from './model/screen.ts'
import { createStopper } from './model/stop-text.ts'

/** The recorded result of a completion step, as sent to the program. */
export type Completed = {
  content: (TextPart | ReasoningPart | ToolCallPart)[]
  finish: FinishReason
  usage: Usage
  /** Set when a fallback model answered. */
  fallback?: Fallback
}

/** Key of the completion step. */
export const COMPLETION_KEY = 'completion'

/** Forwards a program's model request unchanged. The program runs any tools itself. */
export async function complete(run: RunContext, kit: AgentKit): Promise<void> {
  const { completion } = run.input
  if (!completion) throw new Error(`run ${run.id} has no call to make`)
  await run.step(COMPLETION_KEY, (leaf) => ask(run, kit, leaf, completion))
}

async function ask(run: RunContext, kit: AgentKit, leaf: Leaf, call: Completion): Promise<Completed> {
  const { model_name, message_id, user_id } = run.input
  const asked = beginAsking(leaf, model_name)
  await leaf.reserve(asked.model, call)
  const screen = createScreen(leaf, message_id)
  const answer: { content: Completed['content']; usage: Usage | null; finish: string | null } = {
    ...{ content: [], usage: null, finish: null },
  }
  const stopper = createStopper(call.sampling?.stop ?? [])
  const say = (text: string) => {
    if (text === '') return
    screen.show(text)
    takePart(answer, { type: 'text', text })
  }
  const bill = async () => {
    const usage = answer.usage ?? (await estimateUsage(kit, asked.model, call, answer.content))
    leaf.bill({ model_name: asked.model, reason: 'reply', usage })
    return usage
  }
  try {
    await streamOrFallBack(
      { run, kit, leaf },
      asked,
      () => ({ ...call, caller: { person: user_id, is_background: false } }),
      (part) => {
        if (part.type === 'text') return say(stopper.push(part.text))
        if (part.type === 'reasoning' && part.text !== '') {
          const timestamp = kit.clock.now().toISOString()
          leaf.emit({ event: 'agent_thinking', content: part.text, timestamp })
        }
        if (part.type === 'tool-call') say(stopper.end())
        takePart(answer, part)
      },
    )
    say(stopper.end())
  } catch (error) {
    if (answer.content.length > 0) await bill()
    throw error
  }
  screen.end([], () => undefined, endOf(answer.finish))
  const { fallback } = asked
  const whole = { content: answer.content, finish: answer.finish as FinishReason, usage: await bill() }
  return { ...whole, ...(fallback && { fallback }) }
}
