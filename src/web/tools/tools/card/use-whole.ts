import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { settledStatuses } from '#shared/runs/runs/bound-tool.ts'
import { toBlock, useExecution } from './use-execution.ts'

/** Whether a message holds only a part of a call that is over: the rest is kept with its execution. */
export function isPartial({ status, input_ref, result_ref, events_cut }: ToolBlock): boolean {
  return settledStatuses.has(status) && [input_ref, result_ref, events_cut].some(Boolean)
}

/**
 * The whole of a call of which a message holds a part; asked for once somebody wants to see it, and kept for the
 * next time. A call that is held whole is given as it is.
 */
export function useWhole(
  block: ToolBlock,
  isWanted: boolean,
): { whole: ToolBlock | undefined; error: unknown } {
  const { execution, error } = useExecution(isWanted && isPartial(block) ? block.id : null)
  if (!isPartial(block)) return { whole: block, error: null }
  return { whole: execution && toBlock(execution, block.tool_name), error }
}
