import type { TFunction } from 'i18next'
import { navigateBranch } from '#shared/chat/branches/branches.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

/** Time a branch shown without a call stays on screen before the server makes it active. */
export const STAY_MS = 1000

type Untold = { sessionId: string; branchId: string; t: TFunction }

let untold: Untold | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Switching quickly makes no calls; the server is notified of the branch that stays, or with which the chat is left. */
export function tellLater(branch: Untold): void {
  untold = branch
  clearTimeout(timer)
  timer = setTimeout(() => void tellNow(), STAY_MS)
}

/** Another branch became active in another way. */
export function forgetUntold(): void {
  untold = null
  clearTimeout(timer)
}

/** Notifies the server of an unreported branch, and refetches what depends on the active branch. */
export async function tellNow(): Promise<void> {
  if (!untold) return
  const { sessionId, branchId, t } = untold
  forgetUntold()
  try {
    await call(navigateBranch, { params: { sessionId, branchId }, query: { limit: 1 } })
    void queryClient.invalidateQueries({ queryKey: ['belief', sessionId] })
    void queryClient.invalidateQueries({ queryKey: ['checkpoints', sessionId] })
  } catch {
    toast.error(t('streaming_blocks:branch.navigate_failed'))
  }
}
