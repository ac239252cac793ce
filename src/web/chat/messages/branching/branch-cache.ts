import type { ActiveBranch } from '#shared/chat/messages/messages.ts'
import { PAGE_SIZE } from '../chat/chat.ts'
import { type ChatMessage, gapOf, messageStore } from '../chat/message-store.ts'
import { isTemporary } from '../chat/temporary.ts'

/** Time for which a branch shows again without a call. */
export const BRANCH_CACHE_MS = 300_000

/** The last shown branch after a message. */
const lastBehind = new Map<string, string>()

/** Caches the current branch. One whose end is being written is not cached. */
export function keepBranch(): void {
  const now = messageStore.getState()
  const { order, messagesById, forks, links, branchCache, total, hasOlder, ...state } = now
  const leafId = order.at(-1)
  const page = order
    .slice((gapOf(now)?.at ?? -1) + 1)
    .slice(-PAGE_SIZE)
    .flatMap((id) => messagesById[id] ?? [])
  const onPath = Object.keys(forks).filter((id) => messagesById[id])
  if (!leafId || !page.every(isFinished)) {
    // Older cached versions are outdated by what is being written.
    for (const id of onPath) forget(id)
    return
  }
  for (const id of onPath) lastBehind.set(id, leafId)
  const branch: ActiveBranch = {
    ...{ active_branch: page, branch_id: leafId, total, start: total - page.length },
    has_more: hasOlder || order.length > page.length,
    forks: page.flatMap(({ id }) => forks[id] ?? []),
    links: page.flatMap(({ id }) => links[id] ?? []),
    ...{ branch_number: state.branchNumber, branch_count: state.branchCount },
  }
  messageStore.setState({ branchCache: { ...branchCache, [leafId]: { branch, readAt: Date.now() } } })
}

function forget(messageId: string): void {
  const { [lastBehind.get(messageId) ?? messageId]: _, ...branchCache } = messageStore.getState().branchCache
  messageStore.setState({ branchCache })
}

function isFinished({ id, status }: ChatMessage): boolean {
  return !isTemporary(id) && (status === 'completed' || status === 'error')
}

/** Returns the branch after a message as last shown, if that was recent. */
export function cachedBranch(messageId: string): ActiveBranch | null {
  const kept = messageStore.getState().branchCache[lastBehind.get(messageId) ?? messageId]
  return kept && Date.now() - kept.readAt < BRANCH_CACHE_MS ? kept.branch : null
}

/** Drops all cached alternatives, because there are new ones. */
export function forgetBranches(): void {
  messageStore.setState({ branchCache: {}, branchOptions: {} })
}
