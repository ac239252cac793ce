import { CircleDashed, CircleDot } from 'lucide-react'
import { formatDate, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Spinner } from '../../../platform/ui/states/spinner.tsx'
import type { Connection, Trouble } from './use-events.ts'

/** Connection status. */
export function ConnectionBadge({ status }: { status: Connection['status'] }) {
  const { t } = useTranslation('admin')
  const text = <span role="status">{t(`debug.${status}`)}</span>
  if (status === 'connected')
    return (
      <Badge tone="success" icon={<CircleDot aria-hidden />}>
        {text}
      </Badge>
    )
  if (status === 'connecting')
    return (
      <Badge tone="accent" icon={<Spinner className="icon-12" />}>
        {text}
      </Badge>
    )
  return <Badge icon={<CircleDashed aria-hidden />}>{text}</Badge>
}

/** Explains an interrupted connection and its likely cause. */
export function ConnectionTrouble({ trouble }: { trouble: Trouble }) {
  const { t } = useTranslation('admin')
  const time = formatClock(trouble.at)
  if (trouble.kind === 'lost')
    return (
      <Callout tone="warning" title={t('debug.connection_lost')}>
        {t('debug.causes')}
      </Callout>
    )
  if (trouble.kind === 'back')
    return (
      <Callout tone="warning" title={t('debug.came_back', { time, seconds: formatNumber(trouble.seconds) })}>
        {t('debug.gap')} {t('debug.causes')}
      </Callout>
    )
  const title =
    trouble.status === null
      ? t('debug.closed', { time })
      : t('debug.refused', { time, status: trouble.status })
  return (
    <Callout tone="danger" title={title}>
      {t('debug.causes')}
    </Callout>
  )
}

/** Formats a time of day with seconds. */
export function formatClock(at: Date | string): string {
  return formatDate(at, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
}
