import type { TFunction } from 'i18next'
import { navigateBranch } from '#shared/chat/branches/branches.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

/** So long a branch that was shown without a call stays on screen before the server makes it the active one. */
export const STAY_MS = 1000

type Untold = { sessionId: string; branchId: string; t: TFunction }

let untold: Untold | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Leafing through branches calls nobody: the server hears of the one that stays, or that the chat is left with. */
export function tellLater(branch: Untold): void {
  untold = branch
  clearTimeout(timer)
  timer = setTimeout(() => void tellNow(), STAY_MS)
}

/** Another branch became the active one in another way. */
export function forgetUntold(): void {
  untold = null
  clearTimeout(timer)
}

/** Lets the server know of a branch it has not heard of, and reads again what goes by the active branch. */
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
