import { create } from 'zustand'
import type { getReplyPrice } from '#shared/chat/run-prices/run-prices.ts'
import { isAskedFor, type StatedPrice } from '#shared/chat/run-prices/run-prices.ts'
import type { Answer } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { isConnected } from '../../platform/lib/api/reachability.ts'
import { keep, readKept } from '../../platform/lib/kept/kept.ts'
import { hasPrices, PRICE_HOLDS_MS, type PriceWish, replyPrice } from './reply-price.ts'

/** The question before a costly reply, or null. */
type Question = { sessionId: string; price: StatedPrice; agree: () => void }
export const usePriceQuestion = create<{ question: Question | null }>(() => ({ question: null }))

/** Maximum wait for a price before the reply begins without it. */
const PATIENCE_MS = 2_000

/** The accepted reply that has not begun. */
let agreed: string | null = null
let isWaiting = false

/**
 * Returns whether a reply may begin now. Otherwise `again` is called as soon as it may: when its price is known and low, is
 * not known in time, or was accepted. Messages sent automatically after a reconnect do not ask.
 */
export function isAgreed(wish: PriceWish, again: () => void): boolean {
  const options = replyPrice(wish)
  const key = JSON.stringify(options.queryKey)
  if (agreed === key) {
    agreed = null
    return true
  }
  if (!hasPrices() || !isConnected() || isSilenced(wish.sessionId)) return true
  const goOn = () => {
    agreed = key
    again()
  }
  const { data, dataUpdatedAt = 0 } =
    queryClient.getQueryState<Answer<typeof getReplyPrice>>(options.queryKey) ?? {}
  if (data && dataUpdatedAt > Date.now() - PRICE_HOLDS_MS) return !isAsked(data, wish, goOn)
  if (isWaiting) return false
  isWaiting = true
  void Promise.race([queryClient.fetchQuery(options).catch(() => null), outOfPatience()]).then((told) => {
    isWaiting = false
    if (!told || !isAsked(told, wish, goOn)) goOn()
  })
  return false
}

/** Asks the person if necessary. */
function isAsked(
  { price, asks_above }: Answer<typeof getReplyPrice>,
  { sessionId }: PriceWish,
  agree: () => void,
): boolean {
  if (!isAskedFor(price, asks_above)) return false
  usePriceQuestion.setState({ question: { sessionId, price, agree } })
  return true
}

const outOfPatience = () => new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null))

const nameOf = (sessionId: string) => `price-agreed:${sessionId}`
const isSilenced = (sessionId: string) => readKept(nameOf(sessionId)) !== null

/** Stops asking in a chat. */
export function silence(sessionId: string): void {
  keep(nameOf(sessionId), 'yes')
}
