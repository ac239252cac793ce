import type { Block } from '#shared/runs/blocks.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { useLiveView } from '../runs/runs.ts'
import { Delayed } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { BranchSwitcher, HiddenFuture, RegenerateButton } from './lazy-branches.tsx'
import { MessageActions } from './message-actions.tsx'
import { MessageBlocks } from './message-blocks.tsx'
import type { ChatMessage } from './message-store.ts'
import { isTemporary } from './temporary.ts'
import { withoutWaiting } from './waiting.ts'

/** A reply: while it is written it is drawn from its live view, afterwards from the store. */
export function AssistantMessage({ message, isLast }: { message: ChatMessage; isLast: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const view = useLiveView(message.key)
  const isStreaming = message.status === 'streaming'
  const blocks = view ? view.blocks : isLast ? withoutWaiting(blocksOf(message)) : blocksOf(message)
  const progress = isStreaming ? view?.progress : null
  return (
    <>
      <MessageBlocks blocks={blocks} growing={isStreaming} planned={progress?.planned} />
      {isStreaming && blocks.every(({ type }) => type === 'checkpoint') && (
        <Delayed>
          <p className="flex items-center gap-2 text-14 text-ink-3">
            <Spinner className="icon-14 text-accent" />
            {t('working')}
          </p>
        </Delayed>
      )}
      {progress && (
        <p className="num mt-2 text-12 text-ink-3">
          {progress.step_name} · {Math.round(progress.progress)} %
        </p>
      )}
      {!isStreaming && message.metadata.stopped === true && (
        <p className="mt-3 text-13 text-ink-3">{t('stopped')}</p>
      )}
      {isStreaming ? (
        isLast && <div className="h-10" />
      ) : (
        <MessageActions read={() => message.content} note={modelLabel(message.model_name)}>
          {!isTemporary(message.id) && <RegenerateButton message={message} />}
          <BranchSwitcher messageId={message.id} place={message.key} />
        </MessageActions>
      )}
      {!isStreaming && <HiddenFuture messageId={message.id} />}
    </>
  )
}

/** Messages from before there were blocks have only their text. */
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

function modelLabel(name: string | null): string {
  return name?.split('/').slice(1).join('/') || (name ?? '')
}
