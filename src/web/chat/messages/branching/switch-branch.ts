import type { TFunction } from 'i18next'
import { type BranchOption, listBranches, navigateBranch } from '#shared/chat/branches/branches.ts'
import { type ActiveBranch, getActiveBranch } from '#shared/chat/messages/messages.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { attachToRun, PAGE_SIZE } from '../chat/chat.ts'
import { messageStore, setBranch, showStretch } from '../chat/message-store.ts'
import { leaveReply } from '../chat/reply.ts'
import { forgetUntold, tellLater } from '../chat/tell-branch.ts'
import { cachedBranch, keepBranch } from './branch-cache.ts'

/** Delay before the switching flag is cleared. */
export const SWITCHED_MS = 300

/** Only the last of several quick steps is shown. */
let latest = 0

/** Loads the alternatives of a message, so that stepping through them is immediate. */
export async function readOptions(messageId: string): Promise<BranchOption[]> {
  const { chatSessionId, branchOptions, forks } = messageStore.getState()
  const known = branchOptions[messageId]
  if (!chatSessionId || known?.length === forks[messageId]?.count) return known ?? []
  const options = await call(listBranches, { params: { sessionId: chatSessionId, messageId } })
  if (messageStore.getState().chatSessionId !== chatSessionId) return []
  const entries = options.map(({ message_id }) => [message_id, options] as const)
  messageStore.setState((state) => ({
    branchOptions: { ...state.branchOptions, ...Object.fromEntries(entries) },
  }))
  return options
}

/** Switches to the previous (-1) or next (1) alternative of a message, wrapping around. Returns its id. */
export async function stepBranch(messageId: string, step: 1 | -1, t: TFunction): Promise<string | null> {
  const fork = messageStore.getState().forks[messageId]
  if (!fork || fork.count < 2) return null
  // With two there is only one other.
  if (fork.count === 2) return (await goToBranch(fork.later_id, t, messageId)) ? fork.later_id : null
  const options = await readOptions(messageId).catch(() => null)
  if (options === null) toast.error(t('streaming_blocks:branch.navigate_failed'))
  const at = options?.findIndex((option) => option.message_id === messageId) ?? -1
  const next = options?.[(at + step + options.length) % options.length]
  if (at < 0 || !next) return null
  return (await goToBranch(next.message_id, t, messageId)) ? next.message_id : null
}

/**
 * Shows the branch of a message and makes it active. It opens at the message, or the message replaces the alternative
 * `from`. A branch that is on screen, or was less than five minutes ago, needs no call. Does nothing without a session or a
 * message.
 */
export async function goToBranch(
  messageId: string | null,
  t: TFunction,
  from: string | null = null,
): Promise<boolean> {
  const { chatSessionId: sessionId, messagesById, isBranchSwitching } = messageStore.getState()
  if (!sessionId || !messageId) return false
  if (messagesById[messageId] && !isBranchSwitching) {
    messageStore.setState({ target: { id: messageId } })
    return true
  }
  keepBranch()
  latest += 1
  const ticket = latest
  const isStale = () => ticket !== latest || messageStore.getState().chatSessionId !== sessionId
  messageStore.setState({ isBranchSwitching: true, heldKey: messagesById[from ?? '']?.key ?? null })
  const kept = cachedBranch(messageId)
  const cached = kept && (from || has(kept, messageId)) ? kept : null
  const end = () =>
    setTimeout(() => {
      if (!isStale()) messageStore.setState({ isBranchSwitching: false, heldKey: null })
    }, SWITCHED_MS)
  // The held element is measured before anything moves.
  await Promise.resolve()
  if (cached) {
    show(sessionId, cached, from, messageId)
    tellLater({ sessionId, branchId: messageId, t })
    end()
    return true
  }
  forgetUntold()
  try {
    const params = { sessionId, branchId: messageId }
    const branch = await call(navigateBranch, { params, query: { limit: PAGE_SIZE } })
    const isFar = !from && !has(branch, messageId)
    const around = isFar ? await readAround(sessionId, messageId, branch) : null
    if (isStale()) return false
    show(sessionId, branch, from, messageId, around)
    return true
  } catch {
    if (isStale()) return false
    toast.error(t('streaming_blocks:branch.navigate_failed'))
    return false
  } finally {
    end()
  }
}

function has({ active_branch }: ActiveBranch, messageId: string): boolean {
  return active_branch.some(({ id }) => id === messageId)
}

/** Loads the page of a branch around a message that is older than its newest page. */
function readAround(sessionId: string, around: string, { active_branch }: ActiveBranch) {
  const query = { limit: PAGE_SIZE, around, before: active_branch[0]?.id }
  return call(getActiveBranch, { params: { sessionId }, query })
}

/** A reply in progress continues on its branch, and is followed again once that is shown. */
function show(
  sessionId: string,
  branch: ActiveBranch,
  from: string | null,
  messageId: string,
  around: ActiveBranch | null = null,
): void {
  const { streamingId } = messageStore.getState()
  if (streamingId) leaveReply(sessionId)
  // The page may begin after the alternative; the branch is then shown at its end.
  if (!has(branch, messageId)) messageStore.setState({ heldKey: null })
  setBranch(branch, from ? { of: from, by: messageId } : undefined)
  if (around) showStretch(around)
  const isWriting = branch.active_branch.at(-1)?.status === 'streaming'
  // A reply in progress is followed at its end.
  const isAtEnd = isWriting && branch.active_branch.at(-1)?.id === messageId
  if (!from && !isAtEnd) messageStore.setState({ target: { id: messageId } })
  if (isWriting) attachToRun(sessionId)
  else if (streamingId) messageStore.setState({ elsewhereId: streamingId })
}
