import { lazy, Suspense, useEffect } from 'react'
import type { StatedPrice } from '#shared/chat/run-prices/run-prices.ts'
import { formatCost, formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { usePriceQuestion } from './agree.ts'

export { isAgreed } from './agree.ts'
export { useReplyPrice } from './reply-price.ts'

const Loaded = lazy(() => import('./price-question.tsx'))

/** Asks before a costly reply of a chat; loaded with the first question. Leaving the chat declines. */
export function PriceQuestion({ sessionId }: { sessionId: string | null }) {
  const isAsked = usePriceQuestion(({ question }) => question?.sessionId === sessionId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question goes with its chat.
  useEffect(() => () => usePriceQuestion.setState({ question: null }), [sessionId])
  if (!isAsked) return null
  return (
    <Suspense>
      <Loaded />
    </Suspense>
  )
}

/** The estimated price range of the next reply. */
export function PriceNote({ price: { low, high, runs } }: { price: StatedPrice }) {
  const { t } = useTranslation('streaming_blocks')
  const words = { low: formatCost(low), high: formatCost(high), count: runs, shown: formatNumber(runs) }
  return <span className="num text-ink-3">{t('price.note', words)}</span>
}
