import { useEffect, useRef } from 'react'
import { readQuestion } from '#shared/chat/embeds/page-question.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { useLiveView } from '../../runs/runs/runs.ts'
import { Reply } from './reply.tsx'
import { LIVE, type SmallChat } from './use-small-chat.ts'

/** Distance to the end in pixels within which the view follows the text. */
const NEAR = 80

type SaidProps = { chat: SmallChat; name: string; showsSources: boolean }

/** The messages, and the reply in progress. */
export function Said({ chat, name, showsSources }: SaidProps) {
  const { t } = useTranslation('embeds')
  const view = useLiveView(LIVE)
  const { messages, asked, isWriting, isLoading, isReconnecting } = chat
  // A reply in progress is shown once at the end, in its live form.
  const done = isWriting ? messages.filter(({ id }) => !isOf(view, id)) : messages
  const isKept = done.some(({ id }) => id === view?.user_message_id)
  const scroller = useFollowing([view, done.length, asked])
  if (isLoading) return <Loader text={t('common:loading')} />
  return (
    <div ref={scroller} className="said" role="log" aria-live="off" aria-label={t('chat.said')}>
      {done.map((message, at) =>
        message.role === 'user' ? (
          <Question key={message.id} content={message.content} />
        ) : (
          <Reply
            key={message.id}
            {...{ name, showsSources, chat }}
            message={message}
            blocks={message.blocks}
            isLast={at === done.length - 1 && !isWriting}
          />
        ),
      )}
      {asked !== null && !isKept && <Question content={asked} />}
      {isWriting && (
        <Reply {...{ name, showsSources, chat }} message={null} blocks={view?.blocks ?? []} isLast />
      )}
      {isReconnecting && (
        <p role="status" className="text-13 text-ink-3">
          {t('chat.reconnecting')}
        </p>
      )}
      <p role="status" className="sr-only">
        {isWriting ? t('chat.writing') : ''}
      </p>
    </div>
  )
}

const isOf = (view: { message_id: string } | null, id: Message['id']) => view?.message_id === id

function Question({ content }: { content: string }) {
  const { t } = useTranslation('embeds')
  const { question, page } = readQuestion(content)
  return (
    <article aria-label={t('chat.you')} className="grid justify-items-end">
      <div dir="auto" className="question">
        {question}
      </div>
      {page && (
        <p className="mt-1 max-w-full truncate text-12 text-ink-3">
          {t(page.isSelection ? 'page.with_selection' : 'page.with_page', { title: page.title })}
        </p>
      )}
    </article>
  )
}

/** Follows the end for readers who are there; others stay in place. */
function useFollowing(changes: readonly unknown[]) {
  const scroller = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const at = scroller.current
    if (!at) return
    const look = () => {
      isAtEnd.current = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR
    }
    at.addEventListener('scroll', look, { passive: true })
    return () => at.removeEventListener('scroll', look)
  })
  useEffect(() => {
    const at = scroller.current
    if (at && isAtEnd.current) at.scrollTop = at.scrollHeight
  }, [...changes])
  return scroller
}
