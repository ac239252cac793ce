import type { RunEvidence } from '../../../knowledge/rag/rag.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'
import type { AgentKit } from '../kit.ts'
import { callModel, type ModelReply, type ModelRequest } from './call-model.ts'
import { createVoices } from './voices.ts'

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
  let used = 0
  return {
    get left() {
      return run.input.limits.model_calls - used
    },
    call: async (place, request) => {
      used += 1
      const number = used
      await run.checkpoint(`llm_checkpoint_${number}`, 'llm')
      evidence.take(request.messages)
      const reply = await callModel(place, { ...kit, evidence, voices }, `model:${number}`, request)
      voices.note(reply)
      evidence.note(reply.cited)
      return reply
    },
  }
}
