import clsx from 'clsx'
import { Pencil } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { mentionsOf } from '#shared/chat/messages/mentions.ts'
import { filesOf } from '#shared/chat/messages/message-files.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { usePrinting } from '../../../platform/lib/printing/printing.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { MessageMentions } from '../../mentions/mentions.ts'
import { SavePromptButton } from '../../prompts/prompts.ts'
import { BranchSwitcher, EditForm, ForkButton } from '../branching/lazy-branches.tsx'
import { useMayWrite } from '../chat/may-write.ts'
import { type ChatMessage, messageStore, useMessages } from '../chat/message-store.ts'
import { answerNow } from '../chat/send.ts'
import { isTemporary } from '../chat/temporary.ts'
import { actionsLook } from './message-actions.tsx'

const MessageFiles = lazy(() =>
  import('./message-files.tsx').then((file) => ({ default: file.MessageFiles })),
)

/** Characters and lines of a long question shown at first. */
const firstCharacters = 1200
const firstLines = 14

/** The person's message, as written. */
export function UserMessage({ message, isLast }: { message: ChatMessage; isLast: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const mayWrite = useMayWrite()
  const [isWhole, setWhole] = useState(false)
  const isStreaming = useMessages((state) => state.isStreaming)
  const isEditing = useMessages((state) => state.editingId === message.id)
  const { content } = message
  const beginning = beginningOf(content)
  const isPrinting = usePrinting()
  const isLong = content.length > beginning.length * 1.25
  const shown = isLong && !isWhole && !isPrinting ? `${beginning}…` : content
  const isUnanswered = mayWrite && isLast && !isStreaming && !isTemporary(message.id)
  if (isEditing && mayWrite) return <EditForm messageId={message.id} />
  return (
    <div className="flex flex-col items-end gap-2">
      {filesOf(message.metadata).length > 0 && (
        <Suspense fallback={<div className="h-[30px]" />}>
          <MessageFiles message={message} />
        </Suspense>
      )}
      <MessageMentions mentions={mentionsOf(message.metadata)} />
      <div className="max-w-[600px] rounded-bubble bg-surface-2 px-4 py-2.5 text-16 leading-[1.55] tracking-[-0.011em] wrap-anywhere whitespace-pre-wrap max-md:max-w-[88%]">
        <div dir="auto">{shown}</div>
        {isLong && (
          <Button
            variant="link"
            className="mt-1 flex print:hidden"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {t(isWhole ? 'show_less' : 'show_all')}
          </Button>
        )}
      </div>
      <div className={clsx(actionsLook, '-mt-1 -mr-1.5')}>
        <BranchSwitcher messageId={message.id} place={message.key} />
        {mayWrite && !isTemporary(message.id) && (
          <IconButton
            name={t('branch.edit')}
            size="sm"
            onClick={() => messageStore.setState({ editingId: message.id })}
          >
            <Pencil aria-hidden className="icon" />
          </IconButton>
        )}
        {!isTemporary(message.id) && <ForkButton message={message} isSmall />}
        <SavePromptButton read={() => content} />
        <CopyButton name={t('copy_message')} size="sm" read={() => content} />
      </div>
      {isUnanswered && (
        <div className="flex w-full items-center gap-3 self-start text-13 text-ink-2">
          <span>{t('no_reply')}</span>
          <Button size="sm" onClick={() => answerNow(message.chat_session_id, message.id, t)}>
            {t('answer_now')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Returns the beginning of a long question, without splitting a visible character. */
function beginningOf(content: string): string {
  const lines = content.slice(0, firstCharacters).split('\n', firstLines)
  return lines
    .join('\n')
    .toWellFormed()
    .replace(/\uFFFD$/, '')
}
