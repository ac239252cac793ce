import { memo, Suspense } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { SummaryNote } from '../../context-use/context-use.ts'
import { useMessage, useMessages } from '../chat/message-store.ts'
import { writerOf } from '../chat/use-assistant.ts'
import { AssistantMessage } from './assistant-message.tsx'
import { ForkLinks } from './fork-links.tsx'
import { UserMessage } from './user-message.tsx'

type MessageRowProps = {
  id: string
  /** Position in the branch from 1, and the total. */
  position: number
  total: number
  /** The last message of the chat, whose actions are always visible. */
  isLast: boolean
}

/** One message of the transcript. Screen readers jump between messages by their hidden headings. */
export const MessageRow = memo(function MessageRow({ id, position, total, isLast }: MessageRowProps) {
  const { t } = useTranslation('streaming_blocks')
  const message = useMessage(id)
  const isTarget = useMessages((state) => state.target?.id === id)
  if (!message) return null
  const isUser = message.role === 'user'
  const writer = writerOf(message)
  return (
    <article
      aria-posinset={position}
      aria-setsize={total}
      tabIndex={-1}
      data-last={isLast || undefined}
      data-target={isTarget || undefined}
      data-message={message.key}
      data-fading={message.status === 'regenerating-below' || undefined}
      inert={message.status === 'regenerating-below'}
      className={`message group/message outline-none transition-[opacity,background-color,box-shadow] duration-180 data-fading:opacity-35 data-target:rounded-card data-target:bg-accent-soft data-target:shadow-[0_0_0_8px_var(--accent-soft)] ${isUser ? 'pt-7' : 'pt-[18px] pb-2'}`}
    >
      <h2 className="sr-only">
        {writer ? t('named_said', { assistant: writer }) : t(isUser ? 'you_said' : 'assistant_said')}
      </h2>
      {isUser ? (
        <UserMessage message={message} isLast={isLast} />
      ) : (
        <AssistantMessage message={message} isLast={isLast} />
      )}
      {typeof message.metadata.compaction === 'string' && (
        <Suspense fallback={<div className="my-4 h-10 max-md:h-11" />}>
          <SummaryNote text={message.metadata.compaction} />
        </Suspense>
      )}
      <ForkLinks messageId={id} isUser={isUser} />
    </article>
  )
})
