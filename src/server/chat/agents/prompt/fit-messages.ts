import type { HandedResult } from '../../../models/models/handover.ts'
import type { ModelMessage } from '../../../models/models/port.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'

/** Share of the window for a run's own work besides the conversation. */
const WORK_SHARE = 0.5
/** Conservative estimate: most texts have four characters per token, code and tables fewer. */
const CHARACTERS_PER_TOKEN = 3
const LEFT_OUT =
  '[Left out: the output was read before and no longer fits. Call the tool again if it is needed.]'

function room({ input }: Pick<RunContext, 'input'>): number {
  return Math.floor(input.context_tokens * WORK_SHARE * CHARACTERS_PER_TOKEN)
}

/** Replaces the oldest tool outputs with a note when the total exceeds the window. */
export function fitToolResults(run: Pick<RunContext, 'input'>, messages: ModelMessage[]): ModelMessage[] {
  let left = room(run)
  const fitted = messages.toReversed().map((message) => {
    if (message.role !== 'tool') return message
    const content = message.content.map((part) => {
      left -= part.output.length
      return left >= 0 || part.output.length <= LEFT_OUT.length ? part : { ...part, output: LEFT_OUT }
    })
    return { ...message, content }
  })
  return fitted.toReversed()
}

/** Cuts step results to equal shares when the total exceeds the window. */
export function fitResults(run: Pick<RunContext, 'input'>, results: HandedResult[]): HandedResult[] {
  const most = Math.floor(room(run) / Math.max(1, results.length))
  return results.map((result) => {
    const over = result.text.length - most
    if (over <= 0) return result
    return { ...result, text: `${result.text.slice(0, most)}\n[Cut here: ${over} more characters.]` }
  })
}
