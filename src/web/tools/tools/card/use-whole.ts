import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { settledStatuses } from '#shared/runs/runs/bound-tool.ts'
import { toBlock, useExecution } from './use-execution.ts'

/** Returns whether a message holds only part of a finished call; the rest is stored with its execution. */
export function isPartial({ status, input_ref, result_ref, events_cut }: ToolBlock): boolean {
  return settledStatuses.has(status) && [input_ref, result_ref, events_cut].some(Boolean)
}

/**
 * Fetches the whole of a call that a message holds in part, on request, and caches it.
 * Complete calls are returned unchanged.
 */
export function useWhole(
  block: ToolBlock,
  isWanted: boolean,
): { whole: ToolBlock | undefined; error: unknown } {
  const { execution, error } = useExecution(isWanted && isPartial(block) ? block.id : null)
  if (!isPartial(block)) return { whole: block, error: null }
  return { whole: execution && toBlock(execution, block.tool_name), error }
}
