import { type MessageState, useMessages } from './message-store.ts'
import { isTemporary } from './temporary.ts'

/** Returns the end of the current branch, and a text that changes whenever the server may have more. */
export function useLeaf(): { leafId: string | null; version: string } {
  const leafId = useMessages(({ order }) => order.findLast((id) => !isTemporary(id)) ?? null)
  const version = useMessages(versionOf)
  return { leafId, version }
}

function versionOf({ order, branchCount, isStreaming }: MessageState): string {
  return `${order.findLast((id) => !isTemporary(id))} ${branchCount} ${isStreaming}`
}
