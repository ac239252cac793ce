import { queryOptions, useQuery } from '@tanstack/react-query'
import { MESSAGE_MAX_BYTES } from '#shared/chat/messages/messages.ts'
import { getReplyPrice } from '#shared/chat/run-prices/run-prices.ts'
import type { AvailableModel } from '#shared/models/connections/connections.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { availableModels } from '../../platform/lib/models/available-models.ts'
import { knownSession } from '../../runs/sessions/sessions.ts'

/** A reply that may begin. */
export type PriceWish = {
  sessionId: string
  /** The message it follows or answers; without it the end of the chat. */
  after?: string | null
  /** What is sent. */
  text?: string
  model?: string | null
  tool?: string | null
}

/** For so long a price that was told holds, in milliseconds. */
export const PRICE_HOLDS_MS = 60_000
/** Prices are asked in steps of so many bytes: a paragraph changes little, and most messages are no longer. */
const STEP = 1_024

/** What a reply will probably cost. It is asked anew when the chat, its model, agent or assistant is another. */
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

/** Whether any model has a price: where none has, nothing is asked. */
export function hasPrices(): boolean {
  return isAnyPriced(queryClient.getQueryData<AvailableModel[]>(availableModels.queryKey) ?? [])
}

const isAnyPriced = (models: readonly AvailableModel[]) =>
  models.some(({ input_price, output_price }) => input_price !== null || output_price !== null)

/** What a short message to a chat will probably cost, once it is known; null while no price can be stated. */
export function useReplyPrice(sessionId: string | null, isIdle: boolean) {
  const { data: isPriced = false } = useQuery({
    ...availableModels,
    enabled: sessionId !== null,
    select: isAnyPriced,
  })
  const { data } = useQuery({
    ...replyPrice({ sessionId: sessionId ?? '' }),
    enabled: sessionId !== null && isPriced && isIdle,
    // The figure stays on screen until the next one is there.
    placeholderData: (before, asked) => (asked?.queryKey[1] === sessionId ? before : undefined),
  })
  return data?.price ?? null
}
