import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { giveFeedback, takeFeedbackBack } from '#shared/chat/feedback/feedback.ts'
import { plainCitations } from '#shared/platform/citations/citation-tags.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { Rating } from '#shared/runs/runs/rating.ts'
import { adaptedText } from '../../platform/i18n/adapted-text.ts'
import { fallbackText } from '../../platform/i18n/fallback-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Markdown } from '../../platform/markdown/markdown.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { CopyButton } from '../../platform/ui/copy-button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { Spinner } from '../../platform/ui/states/spinner.tsx'
import { AskFrame, RequestForm, requestWords } from '../../runs/input-requests/input-requests.tsx'
import { citationOf, Sources } from './small-sources.tsx'
import type { SmallChat } from './use-small-chat.ts'

const ToolCard = lazy(() => import('../../tools/tools/tools.ts').then((file) => ({ default: file.ToolCard })))

type ReplyProps = {
  name: string
  chat: SmallChat
  showsSources: boolean
  /** Null while it is written. */
  message: Message | null
  blocks: readonly Block[]
  isLast: boolean
}

/** An answer of the assistant: text, tools, requests and sources. */
export function Reply({ name, chat, showsSources, message, blocks, isLast }: ReplyProps) {
  const { t } = useTranslation('embeds')
  const isGrowing = message === null
  const shown = blocks.filter(({ type }) => type !== 'checkpoint' && type !== 'thinking')
  return (
    <article aria-label={name} className="reply">
      {shown.map((block, at) => (
        <Part
          key={block.id}
          {...{ block, chat, showsSources, isLast }}
          isGrowing={isGrowing && at === shown.length - 1}
        />
      ))}
      {isGrowing && shown.length === 0 && (
        <p className="flex items-center gap-2 text-14 text-ink-3">
          <Spinner className="icon-14 text-accent" />
          {t('chat.writing')}
        </p>
      )}
      {message?.metadata.stopped === true && <p className="text-13 text-ink-3">{t('chat.stopped')}</p>}
      {message && message.status !== 'streaming' && <Actions message={message} />}
    </article>
  )
}

type PartProps = Pick<ReplyProps, 'chat' | 'showsSources' | 'isLast'> & { block: Block; isGrowing: boolean }

function Part({ block, chat, showsSources, isGrowing, isLast }: PartProps) {
  const { t } = useTranslation(['embeds', 'streaming_blocks', 'tool_ui'])
  switch (block.type) {
    case 'text':
      return <Text block={block} isGrowing={isGrowing} showsSources={showsSources} />
    case 'step':
      return <p className="text-13 text-ink-3">{block.description}</p>
    case 'tool':
      return (
        <Suspense fallback={<Skeleton className="h-12 rounded-card" />}>
          <ToolCard block={block} />
        </Suspense>
      )
    case 'input_required':
      if (block.state !== 'waiting' || !isLast || block.kind !== 'question')
        return <p className="text-13 text-ink-3">{requestWords(block, t)}</p>
      return (
        <RequestForm
          sessionId={chat.sessionId}
          request={block}
          onSettled={chat.goOn}
          frame={(state, content) => (
            <AskFrame request={block} state={state}>
              <div className="px-4 pt-4">
                <Markdown text={requestWords(block, t)} className="text-15" />
              </div>
              {content}
            </AskFrame>
          )}
        />
      )
    case 'adapted':
      return <p className="text-12 text-ink-3 empty:hidden">{adaptedText(t, block.adaptations)}</p>
    case 'fallback':
      return <p className="text-12 text-ink-3">{fallbackText(t, block)}</p>
    case 'paused':
      return <p className="text-13 text-ink-3">{t('chat.paused')}</p>
    case 'error':
      return <Callout tone="danger">{t('chat.failed')}</Callout>
    default:
      return null
  }
}

type TextBlock = Extract<Block, { type: 'text' }>

function Text({
  block: { id, text, sources, is_filtered },
  isGrowing,
  showsSources,
}: {
  block: TextBlock
  isGrowing: boolean
  showsSources: boolean
}) {
  const { t } = useTranslation('streaming_blocks')
  const Citation = useMemo(
    () => citationOf(showsSources ? (sources ?? []) : [], `source-${id}`),
    [sources, id, showsSources],
  )
  return (
    <>
      <Markdown text={text} growing={isGrowing} Citation={Citation} className="text-15" />
      {showsSources && !isGrowing && sources && sources.length > 0 && (
        <Sources sources={sources} text={text} anchor={`source-${id}`} />
      )}
      {is_filtered && <p className="text-13 text-ink-3">{t('filtered')}</p>}
    </>
  )
}

/** A visitor's actions on an answer: copy and rate. */
function Actions({ message }: { message: Message }) {
  const { t } = useTranslation('embeds')
  const [rating, setRating] = useState<Rating | null>(null)
  const judge = (given: Rating) => {
    const params = { sessionId: message.chat_session_id, messageId: message.id }
    const before = rating
    const next = before === given ? null : given
    setRating(next)
    const told = next
      ? call(giveFeedback, { params, body: { rating: next } })
      : call(takeFeedbackBack, { params })
    told.catch(() => setRating(before))
  }
  return (
    <div className="-ml-2 flex items-center gap-0.5 text-ink-2">
      <CopyButton name={t('chat.copy')} read={() => plainCitations(message.content)} />
      <IconButton name={t('chat.good')} aria-pressed={rating === 'up'} onClick={() => judge('up')}>
        <ThumbsUp aria-hidden className={rating === 'up' ? 'icon text-accent' : 'icon'} />
      </IconButton>
      <IconButton name={t('chat.bad')} aria-pressed={rating === 'down'} onClick={() => judge('down')}>
        <ThumbsDown aria-hidden className={rating === 'down' ? 'icon text-accent' : 'icon'} />
      </IconButton>
    </div>
  )
}
