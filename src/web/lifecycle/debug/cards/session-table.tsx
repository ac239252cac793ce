import { CircleCheck, CircleDashed, CirclePause, CircleX } from 'lucide-react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import { Spinner } from '../../../platform/ui/states/spinner.tsx'
import { nameOf, useSessions } from './session-list.ts'

type Props = {
  connectedId: string | null
  onUse: (sessionId: string) => void
}

/** Newest sessions, each with a connect button. */
export function SessionTable({ connectedId, onUse }: Props) {
  const { t } = useTranslation('admin')
  const sessions = useSessions()
  if (sessions.isPending) return <Skeleton className="h-28 w-full rounded-card" />
  if (sessions.isError)
    return (
      <Callout
        tone="danger"
        title={t('debug.sessions_failed')}
        action={
          <Button size="sm" onClick={() => void sessions.refetch()}>
            {t('debug.retry')}
          </Button>
        }
      >
        {errorText(t, sessions.error)}
      </Callout>
    )
  const { items, total } = sessions.data
  if (items.length === 0) return <p className="text-13 text-ink-3">{t('debug.no_sessions')}</p>
  return (
    <div className="overflow-x-auto rounded-card border border-line">
      <table className="w-full text-13">
        <caption className="sr-only">{t('debug.session_table')}</caption>
        <thead className="sr-only">
          <tr>
            <th>{t('debug.columns.title')}</th>
            <th className="@max-[1180px]:hidden">{t('debug.session_id')}</th>
            <th>{t('debug.columns.status')}</th>
            <th>{t('debug.columns.action')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((session) => (
            <tr key={session.id} className="h-10 border-line [&+tr]:border-t [&>td]:px-3.5">
              <td className="w-full max-w-0 py-2 font-medium">
                <div className="truncate">{nameOf(session, t)}</div>
                <div className="truncate font-mono text-12 font-regular text-ink-2 @min-[1180px]:hidden">
                  {session.id}
                </div>
              </td>
              <td className="font-mono text-12 whitespace-nowrap text-ink-2 @max-[1180px]:hidden">
                {session.id}
              </td>
              <td>
                <SessionStatus session={session} />
              </td>
              <td className="text-right whitespace-nowrap">
                {session.id === connectedId ? (
                  <span className="text-12 text-ink-3">{t('debug.connected_here')}</span>
                ) : (
                  <Button
                    variant="link"
                    aria-label={t('debug.use_named', { name: nameOf(session, t) })}
                    onClick={() => onUse(session.id)}
                  >
                    {t('debug.use')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {total > items.length && (
        <p className="num border-t border-line px-3.5 py-2 text-12 text-ink-3">
          {t('debug.newest_of', { shown: items.length, total })}
        </p>
      )}
    </div>
  )
}

function SessionStatus({ session }: { session: Session }) {
  const { t } = useTranslation('admin')
  if (session.agent_status === 'paused')
    return (
      <Badge tone="warning" icon={<CirclePause aria-hidden />}>
        {t('debug.agent_status.paused')}
      </Badge>
    )
  const { status } = session
  if (status === 'GENERATING')
    return (
      <Badge tone="accent" icon={<Spinner className="icon-12" />}>
        {status}
      </Badge>
    )
  const Icon = status === 'COMPLETED' ? CircleCheck : status === 'FAILED' ? CircleX : CircleDashed
  const tone = status === 'COMPLETED' ? 'success' : status === 'FAILED' ? 'danger' : 'neutral'
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {status}
    </Badge>
  )
}
