import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getComparison } from '#shared/chat/comparisons/comparisons.ts'
import type { Block, StepBlock } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { isTemporary } from '../chat/temporary.ts'
import { ComparisonColumn } from './comparison-column.tsx'
import { MergeMenu } from './merge-menu.tsx'

type ComparisonReplyProps = {
  sessionId: string
  messageId: string
  blocks: readonly Block[]
  isStreaming: boolean
  /** The last message of the chat, after which a merge can follow. */
  isLast: boolean
}

/** The replies of several models side by side; on a phone as tabs. */
export default function ComparisonReply({
  sessionId,
  messageId,
  blocks,
  isStreaming,
  isLast,
}: ComparisonReplyProps) {
  const { t } = useTranslation('streaming_blocks')
  const [shown, setShown] = useState(1)
  const steps = blocks.filter((block): block is StepBlock => block.type === 'step')
  const done = steps.filter(({ completed, failed }) => completed || failed).length
  const { data } = useQuery({
    // Each reply that ends has its usage.
    queryKey: ['comparison', messageId, done, isStreaming],
    queryFn: ({ signal }) => call(getComparison, { params: { sessionId, messageId }, signal }),
    enabled: !isTemporary(messageId) && done > 0,
    placeholderData: (before) => before,
    retry: false,
  })
  const replies = data?.replies ?? []
  return (
    <section aria-label={t('comparison.label')} className="my-2">
      <div className="mb-2.5 md:hidden">
        <Choice name={t('comparison.label')}>
          {steps.map(({ number, description }) => (
            <Segment key={number} isOn={number === shown} onClick={() => setShown(number)}>
              {description}
            </Segment>
          ))}
        </Choice>
      </div>
      <div className="grid gap-3 md:grid-cols-[repeat(auto-fit,minmax(300px,1fr))]">
        {steps.map((step) => (
          <ComparisonColumn
            key={step.number}
            step={step}
            reply={replies.find(({ number }) => number === step.number)}
            from={messageId}
            isHidden={step.number !== shown}
            isStreaming={isStreaming}
          />
        ))}
      </div>
      {isLast && !isStreaming && replies.filter(({ state }) => state === 'completed').length > 1 && (
        <MergeMenu sessionId={sessionId} />
      )}
    </section>
  )
}
