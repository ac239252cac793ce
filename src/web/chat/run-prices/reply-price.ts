import { queryOptions, useQuery } from '@tanstack/react-query'
import { MESSAGE_MAX_BYTES } from '#shared/chat/messages/messages.ts'
import { getReplyPrice } from '#shared/chat/run-prices/run-prices.ts'
import type { AvailableModel } from '#shared/models/connections/connections.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { availableModels } from '../../platform/lib/models/available-models.ts'
import { knownSession } from '../../runs/sessions/sessions.ts'

/** A reply to be started. */
export type PriceWish = {
  sessionId: string
  /** The message it follows or answers; by default the end of the chat. */
  after?: string | null
  /** The text to send. */
  text?: string
  model?: string | null
  tool?: string | null
}

/** Time for which an estimated price is valid, in milliseconds. */
export const PRICE_HOLDS_MS = 60_000
/** Prices are requested in steps of this many bytes, because a paragraph changes little. */
const STEP = 1_024

/** Returns the estimated price of a reply, updated when the chat, its model, agent or assistant changes. */
export function replyPrice({ sessionId, after, text = '', model, tool }: PriceWish) {
  const session = knownSession(sessionId)
  const bytes = Math.floor(new TextEncoder().encode(text).length / STEP) * STEP
  const query = {
    ...(bytes ? { bytes: Math.min(bytes, MESSAGE_MAX_BYTES) } : {}),
    ...(after ? { after } : {}),
    ...(model ? { model_name: model } : {}),
    ...(tool ? { tool_choice: tool } : {}),
  }
  return queryOptions({
    queryKey: [
      'reply-price',
      sessionId,
      session?.model_name,
      session?.session_metadata,
      session?.updated_at,
      query,
    ],
    queryFn: ({ signal }) => call(getReplyPrice, { params: { sessionId }, query, signal }),
    staleTime: PRICE_HOLDS_MS,
    retry: false,
  })
}

/** Returns whether any model has a price; without one, nothing is requested. */
export function hasPrices(): boolean {
  return isAnyPriced(queryClient.getQueryData<AvailableModel[]>(availableModels.queryKey) ?? [])
}

const isAnyPriced = (models: readonly AvailableModel[]) =>
  models.some(({ input_price, output_price }) => input_price !== null || output_price !== null)

/** Returns the estimated price of a short message to a chat; null while there is none. */
export function useReplyPrice(sessionId: string | null, isIdle: boolean) {
  const { data: isPriced = false } = useQuery({
    ...availableModels,
    enabled: sessionId !== null,
    select: isAnyPriced,
  })
  const { data } = useQuery({
    ...replyPrice({ sessionId: sessionId ?? '' }),
    enabled: sessionId !== null && isPriced && isIdle,
    // The previous estimate stays until the next one arrives.
    placeholderData: (before, asked) => (asked?.queryKey[1] === sessionId ? before : undefined),
  })
  return data?.price ?? null
}
