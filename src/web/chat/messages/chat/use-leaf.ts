import { type MessageState, useMessages } from './message-store.ts'
import { isTemporary } from './temporary.ts'

/** The end of the branch on screen, and a text that changes whenever there may be more on the server. */
export function useLeaf(): { leafId: string | null; version: string } {
  const leafId = useMessages(({ order }) => order.findLast((id) => !isTemporary(id)) ?? null)
  const version = useMessages(versionOf)
  return { leafId, version }
}

function versionOf({ order, branchCount, isStreaming }: MessageState): string {
  return `${order.findLast((id) => !isTemporary(id))} ${branchCount} ${isStreaming}`
}
