import { CircleCheck, CirclePause, CircleX } from 'lucide-react'
import type { Session } from '#shared/sessions/sessions.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { useLiveView } from '../runs/runs.ts'
import { Badge } from '../ui/badge.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { useMessages } from './chat/message-store.ts'

/** How the last run of the chat stands, beside its title. */
export function RunBadge({ session }: { session: Session | null }) {
  const { t } = useTranslation('streaming_blocks')
  const streamingKey = useMessages((state) => state.messagesById[state.streamingId ?? '']?.key ?? '')
  const isStreaming = useMessages((state) => state.isStreaming)
  const view = useLiveView(streamingKey)
  if (isStreaming) {
    const step = view?.blocks.findLast((block) => block.type === 'step')
    const planned = view?.progress?.planned?.length ?? 0
    return (
      <Badge tone="accent" icon={<Spinner className="icon-12" />} className="max-md:hidden">
        {step?.type !== 'step' && t('badge.working')}
        {step?.type === 'step' && planned === 0 && t('step_number', { number: step.number })}
        {step?.type === 'step' &&
          planned > 0 &&
          t('step_of', { number: step.number, count: step.number + planned })}
      </Badge>
    )
  }
  if (session?.agent_status === 'paused')
    return (
      <Badge tone="warning" icon={<CirclePause aria-hidden />} className="max-md:hidden">
        {t(session.pending_input ? 'badge.waiting' : 'badge.paused')}
      </Badge>
    )
  if (session?.status === 'FAILED')
    return (
      <Badge tone="danger" icon={<CircleX aria-hidden />} className="max-md:hidden">
        {t('badge.failed')}
      </Badge>
    )
  if (session?.status !== 'COMPLETED') return null
  return (
    <Badge tone="success" icon={<CircleCheck aria-hidden />} className="max-md:hidden">
      {t('badge.completed')}
    </Badge>
  )
}
