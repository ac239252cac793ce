import { type ReactNode, useEffect, useRef } from 'react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { openPanel, useChatPanel } from '../../platform/lib/chat-panel.ts'
import { Button } from '../../platform/ui/button.tsx'
import { PanelHeader } from '../../platform/ui/panel-header.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { StatusBadge } from './card/tool-card.tsx'
import { refreshExecution, toBlock, useExecution } from './card/use-execution.ts'
import { Execution } from './execution/execution.tsx'
import { openRerun } from './execution/use-rerun.ts'

type ArtifactProps = {
  /** The call as shown in the current chat; null when the chat does not contain it. */
  block: ToolBlock | null
  /** Execution id; null when there is none to show. */
  id: string | null
  sessionId: string
}

/** Artifact panel: one tool execution in the right sidebar, from a reply or standalone. */
export function Artifact({ block, id, sessionId }: ArtifactProps) {
  const { t } = useTranslation('streaming_blocks')
  const { origin, isEditing } = useChatPanel()
  if (block) return <Execution {...{ block, sessionId, isEditing }} onStarted={openRerun(block.id)} />
  if (id === null)
    return (
      <>
        <PanelHeader title={t('panel.artifact')} badges={<StatusBadge status="waiting" />} />
        <EmptyState title={t('artifact.none')}>{t('artifact.none_text')}</EmptyState>
      </>
    )
  const note = origin && <Beside origin={origin} />
  return <OwnExecution {...{ id, sessionId, note }} onStarted={openRerun(id)} />
}

/** Names the execution shown instead of the call. Takes the focus when the focused element disappears. */
function Beside({ origin }: { origin: string }) {
  const { t } = useTranslation('streaming_blocks')
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) line.current?.focus({ preventScroll: true })
  }, [])
  return (
    <p
      ref={line}
      tabIndex={-1}
      className="flex flex-wrap items-center gap-x-3 border-b border-line bg-surface px-4 py-2 text-12 text-ink-2 outline-none"
    >
      <span className="flex-1 basis-60">{t('artifact.beside')}</span>
      <Button variant="link" size="sm" onClick={() => openPanel('artifact', origin)}>
        {t('artifact.back')}
      </Button>
    </p>
  )
}

type OwnExecutionProps = {
  id: string
  sessionId: string | null
  note?: ReactNode
  onStarted: (id: string) => void
  onClose?: () => void
}

/** Fetches an execution by id and follows it to its end. */
export function OwnExecution({ id, onClose, ...rest }: OwnExecutionProps) {
  const { t } = useTranslation('streaming_blocks')
  const { execution, error } = useExecution(id)
  if (execution)
    return (
      <Execution
        {...rest}
        {...(onClose && { onClose })}
        block={toBlock(execution)}
        request={execution.request}
      />
    )
  const header = <PanelHeader title={t('panel.artifact')} {...(onClose && { onClose })} />
  if (!error)
    return (
      <>
        {header}
        <ExecutionSkeleton />
      </>
    )
  const isGone = isApiError(error, 404) || isApiError(error, 403)
  return (
    <>
      {header}
      <EmptyState
        title={t(isGone ? 'artifact.none' : 'artifact.unreadable')}
        action={!isGone && <Button onClick={() => refreshExecution(id)}>{t('common:actions.retry')}</Button>}
      >
        {isGone ? t('artifact.none_text') : errorText(t, error)}
      </EmptyState>
    </>
  )
}

function ExecutionSkeleton() {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div role="status" className="p-4">
      <span className="sr-only">{t('artifact.loading')}</span>
      <Delayed>
        <div className="grid gap-3">
          <Skeleton className="h-4 w-56" />
          <Skeleton className="h-24 w-full rounded-card" />
        </div>
      </Delayed>
    </div>
  )
}
