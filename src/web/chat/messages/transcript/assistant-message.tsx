import { lazy, Suspense } from 'react'
import { plainCitations } from '#shared/platform/citations/citation-tags.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Delayed } from '../../../platform/ui/states/skeleton.tsx'
import { Spinner } from '../../../platform/ui/states/spinner.tsx'
import { useLiveView } from '../../../runs/runs/runs.ts'
import { MemoryButton, MemoryProposals } from '../../memory/memory.tsx'
import { CheckpointsButton } from '../blocks/checkpoints-button.tsx'
import { MessageBlocks } from '../blocks/message-blocks.tsx'
import { ReplyOfCheckpoints } from '../blocks/use-checkpoints.ts'
import {
  BranchSwitcher,
  FeedbackButtons,
  ForkButton,
  HiddenFuture,
  RegenerateButton,
} from '../branching/lazy-branches.tsx'
import type { ChatMessage } from '../chat/message-store.ts'
import { isTemporary } from '../chat/temporary.ts'
import { withoutWaiting } from '../standstill/waiting.ts'
import { MessageActions } from './message-actions.tsx'
import { checkpointsOf, isPlainReply, isSingleAnswer, plainBlocks } from './plain-reply.ts'
import { noteOf } from './reply-note.ts'
import { sayWaiting } from './say-waiting.ts'

const ComparisonReply = lazy(() => import('../comparison/comparison-reply.tsx'))
const CutNote = lazy(() => import('./cut-note.tsx'))

/** A reply: rendered from its live view while it is written, afterwards from the store. */
export function AssistantMessage({ message, isLast }: { message: ChatMessage; isLast: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const view = useLiveView(message.key)
  const all = view ? view.blocks : blocksOf(message)
  const known = !view && isLast ? withoutWaiting(all) : all
  const isSingle = isSingleAnswer(known)
  const isPlain = isPlainReply(message.model_name, known)
  const blocks = isPlain || isSingle ? plainBlocks(known) : known
  // A paused reply is unfinished, but nothing of it grows.
  const isPaused = blocks.at(-1)?.type === 'paused'
  const isStreaming = message.status === 'streaming' && !isPaused
  const isComparison = (view?.agent_type ?? message.agent_type) === 'comparison'
  const progress = isStreaming ? view?.progress : null
  return (
    <ReplyOfCheckpoints value={isStreaming || isTemporary(message.id) ? null : message.id}>
      {isComparison ? (
        <Suspense fallback={<div className="my-2 h-48 rounded-card border border-line" />}>
          <ComparisonReply
            sessionId={message.chat_session_id}
            messageId={message.id}
            {...{ blocks, isStreaming, isLast }}
          />
        </Suspense>
      ) : (
        <MessageBlocks blocks={blocks} growing={isStreaming} planned={progress?.planned} />
      )}
      {isStreaming && !view?.delay && !view?.waiting && all.every(({ type }) => type === 'checkpoint') && (
        <Delayed>
          <p className="flex items-center gap-2 text-14 text-ink-3">
            <Spinner className="icon-14 text-accent" />
            {t('working')}
          </p>
        </Delayed>
      )}
      {isStreaming && view?.delay && <p className="mt-2 text-13 text-ink-3">{t('announce.delayed')}</p>}
      {isStreaming && view?.waiting && (
        <p className="mt-2 text-13 text-ink-3">{sayWaiting(t, view.waiting)}</p>
      )}
      {progress && (
        <p className="num mt-2 text-12 text-ink-3">
          {progress.step_name} · {Math.round(progress.progress)} %
        </p>
      )}
      {!isStreaming && message.metadata.stopped === true && (
        <p className="mt-3 text-13 text-ink-3">{t('stopped')}</p>
      )}
      {isLast && !isStreaming && isCut(blocks) && (
        <Suspense>
          <CutNote sessionId={message.chat_session_id} />
        </Suspense>
      )}
      {isStreaming ? (
        isLast && (
          <div className="mt-2 -ml-2 flex h-8 items-center">
            <BranchSwitcher messageId={message.id} place={message.key} />
          </div>
        )
      ) : (
        <MessageActions
          read={() => plainCitations(message.content)}
          note={noteOf(message, t)}
          isQuiet={isSingle}
          checkpoints={isSingle && !isPlain ? checkpointsOf(known) : []}
        >
          {!isTemporary(message.id) && !isPaused && (
            <>
              <FeedbackButtons sessionId={message.chat_session_id} messageId={message.id} />
              <RegenerateButton message={message} />
              <ForkButton message={message} />
              <MemoryButton {...memoryOf(message, isLast)} />
            </>
          )}
          <BranchSwitcher messageId={message.id} place={message.key} />
          {!isPlain && known.some(({ type }) => type === 'checkpoint') && (
            <CheckpointsButton messageId={message.id} />
          )}
        </MessageActions>
      )}
      {!isStreaming && !isTemporary(message.id) && <MemoryProposals {...memoryOf(message, isLast)} />}
      {!isStreaming && <HiddenFuture messageId={message.id} />}
    </ReplyOfCheckpoints>
  )
}

const memoryOf = ({ id, chat_session_id, created_at }: ChatMessage, isLast: boolean) => ({
  ...{ sessionId: chat_session_id, messageId: id, createdAt: created_at, isLast },
})

/** Returns whether the last text ended at the model's output limit. */
function isCut(blocks: readonly Block[]): boolean {
  const last = blocks.findLast(({ type }) => type !== 'checkpoint')
  return last?.type === 'text' && last.is_cut === true
}

/** Messages from before blocks existed have only their text. */
function blocksOf({ blocks, content, status, metadata, created_at }: ChatMessage): Block[] {
  const shown: Block[] =
    blocks.length > 0 || content === '' ? [...blocks] : [{ type: 'text', id: 'text-0', text: content }]
  const reason = metadata.stream_error
  if (status !== 'error' || shown.some(({ type }) => type === 'error') || typeof reason !== 'string')
    return shown
  return [
    ...shown,
    {
      type: 'error',
      id: 'stream-error',
      error: reason,
      code: null,
      traceback: null,
      step: null,
      timestamp: created_at,
    },
  ]
}
