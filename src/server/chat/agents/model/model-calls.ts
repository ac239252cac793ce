import type { RunEvidence } from '../../../knowledge/rag/rag.ts'
import type { ToolCallPart } from '../../../models/models/port.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'
import type { AgentKit } from '../kit.ts'
import { callModel, type ModelReply, type ModelRequest, offeredTools } from './call-model.ts'
import { assertWithinCost } from './cost-limit.ts'
import { createSteering } from './steered-messages.ts'
import { createToolBox, FIND_TOOLS } from './tool-search.ts'
import { createVoices } from './voices.ts'

/** Maximum consecutive tool searches. After that the model must use the tools it has. */
const MAX_SEARCHES = 3

/** Counts and limits the model calls of one run, with a checkpoint before each. */
export type ModelCaller = {
  /** Remaining calls of the run. */
  readonly left: number
  /** Calls the model from `place`: the run itself or one of its scopes. */
  call: (place: RunContext, request: ModelRequest) => Promise<ModelReply>
}

/**
 * Numbers the calls of a run across all its scopes, so that keys, checkpoints and tool calls have unique names.
 * Calls must be sequential, because a replay counts them in order.
 */
export function createCaller(run: RunContext, kit: AgentKit, evidence: RunEvidence): ModelCaller {
  const voices = createVoices(run)
  const steering = createSteering(run, kit)
  const box = createToolBox(run, offeredTools(run))
  let used = 0
  const callOnce = async (place: RunContext, request: ModelRequest) => {
    used += 1
    const number = used
    await run.checkpoint(`llm_checkpoint_${number}`, 'llm')
    if (!place.isDone(`model:${number}`)) await assertWithinCost(run, kit.db)
    await steering.read(place, number, request.messages.length)
    const messages = steering.tell(place, request.messages)
    const { material } = request
    evidence.take(messages)
    const tools = box.canSearch ? { tools: box.offered(messages) } : {}
    const reply = await callModel(place, { ...kit, evidence, voices }, `model:${number}`, {
      ...request,
      ...tools,
      messages,
      ...(material && { material: async () => steering.tellWith(await material()) }),
    })
    voices.note(reply)
    evidence.note(reply.cited)
    return reply
  }
  return {
    get left() {
      return run.input.limits.model_calls - used
    },
    call: async (place, request) => {
      const messages = [...request.messages]
      for (let searches = 0; ; searches++) {
        const isLast = searches === MAX_SEARCHES || run.input.limits.model_calls - used < 2
        const tool_choice = isLast && searches > 0 ? 'none' : request.tool_choice
        const reply = await callOnce(place, { ...request, messages, tool_choice })
        const asked = takeSearches(reply)
        if (asked.calls.length === 0 || tool_choice === 'none') return asked.others
        const results = asked.calls.map((call) => ({ ...toolResult(call), output: box.find(call) }))
        if (reply.calls.length + asked.others.controls.length > 0) return asked.others
        messages.push({ role: 'assistant', content: reply.content }, { role: 'tool', content: results })
      }
    },
  }
}

const toolResult = ({ id, name }: ToolCallPart) => ({
  type: 'tool-result' as const,
  id,
  name,
  is_error: false,
})

/** The searches for tools in a reply, and the reply without them: agents know nothing of the search. */
function takeSearches(reply: ModelReply): { calls: ToolCallPart[]; others: ModelReply } {
  const isSearch = (part: ModelReply['content'][number]) =>
    part.type === 'tool-call' && part.name === FIND_TOOLS
  const calls = reply.content.filter((part): part is ToolCallPart => isSearch(part))
  const others = {
    ...reply,
    content: reply.content.filter((part) => !isSearch(part)),
    controls: reply.controls.filter(({ name }) => name !== FIND_TOOLS),
  }
  return { calls, others }
}
