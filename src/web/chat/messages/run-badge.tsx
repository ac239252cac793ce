import { CircleCheck, CirclePause, CircleStop, CircleX, type LucideIcon } from 'lucide-react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Spinner } from '../../platform/ui/states/spinner.tsx'
import { useLiveView } from '../../runs/runs/runs.ts'
import { markOf, type SessionMark } from '../../runs/sessions/sessions.ts'
import { useMessages } from './chat/message-store.ts'

/** State of the chat's last run, next to its title: as in the history, and the current step. */
export function RunBadge({ session }: { session: Session | null }) {
  const { t } = useTranslation('common')
  const isStreaming = useMessages((state) => state.isStreaming)
  if (isStreaming) return <WorkBadge />
  const mark = session && markOf(session)
  if (mark === 'running') return <WorkBadge />
  const look = mark && looks[mark]
  if (!look) return null
  return (
    <Badge tone={look.tone} icon={<look.icon aria-hidden />} className="max-md:hidden">
      {t(`history.marks.${mark}`)}
    </Badge>
  )
}

function WorkBadge() {
  const { t } = useTranslation('streaming_blocks')
  const streamingKey = useMessages((state) => state.messagesById[state.streamingId ?? '']?.key ?? '')
  const view = useLiveView(streamingKey)
  const step = view?.blocks.findLast((block) => block.type === 'step')
  const planned = view?.progress?.planned?.length ?? 0
  return (
    <Badge tone="accent" icon={<Spinner className="icon-12" />} className="max-md:hidden">
      {step?.type !== 'step' && t('common:history.marks.running')}
      {step?.type === 'step' && planned === 0 && t('step_number', { number: step.number })}
      {step?.type === 'step' &&
        planned > 0 &&
        t('step_of', { number: step.number, count: step.number + planned })}
    </Badge>
  )
}

type Look = { tone: 'warning' | 'success' | 'danger' | 'neutral'; icon: LucideIcon }

const looks: Partial<Record<SessionMark, Look>> = {
  waiting: { tone: 'warning', icon: CirclePause },
  paused: { tone: 'warning', icon: CirclePause },
  completed: { tone: 'success', icon: CircleCheck },
  stopped: { tone: 'neutral', icon: CircleStop },
  failed: { tone: 'danger', icon: CircleX },
}
