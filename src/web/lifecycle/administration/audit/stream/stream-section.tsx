import { CircleAlert, CircleCheck, CirclePause, Clock } from 'lucide-react'
import { useState } from 'react'
import type { AuditStream } from '#shared/identity/audit-stream/audit-stream.ts'
import { formatDate, formatNumber } from '../../../../platform/i18n/format.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../platform/ui/badge.tsx'
import { Button } from '../../../../platform/ui/button.tsx'
import { ConfirmDialog } from '../../../../platform/ui/overlays/confirm-dialog.tsx'
import { Skeleton } from '../../../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from '../../read-failed.tsx'
import { StreamForm } from './stream-form.tsx'
import { StreamSecret } from './stream-secret.tsx'
import {
  useAuditStream,
  useRemoveAuditStream,
  useRenewAuditSecret,
  useTryAuditStream,
} from './use-audit-stream.ts'

/** The receiver of the audit log: how far it is, and its settings. */
export function StreamSection() {
  const { t } = useTranslation('admin')
  const { data, error, refetch } = useAuditStream()
  const [isEditing, setEditing] = useState(false)
  return (
    <section className="mt-6">
      <h3 className="mb-3 text-13 font-medium">{t('audit.stream.title')}</h3>
      {error && !data && <ReadFailed error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-14 rounded-card" />}
      {data && (
        <div className="admin-card flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3">
          {data.stream ? (
            <StreamRow stream={data.stream} onEdit={() => setEditing(true)} />
          ) : (
            <>
              <p className="min-w-0 flex-1 text-13 text-ink-2">{t('audit.stream.none')}</p>
              <Button onClick={() => setEditing(true)}>{t('audit.stream.connect')}</Button>
            </>
          )}
        </div>
      )}
      {isEditing && data && <StreamForm stream={data.stream} onClose={() => setEditing(false)} />}
    </section>
  )
}

function StreamRow({ stream, onEdit }: { stream: AuditStream; onEdit: () => void }) {
  const { t } = useTranslation('admin')
  const [isRemoving, setRemoving] = useState(false)
  const trying = useTryAuditStream()
  const renewing = useRenewAuditSecret()
  const removing = useRemoveAuditStream(() => setRemoving(false))
  return (
    <>
      <div className="min-w-0 basis-full">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 break-all font-medium">{stream.address}</span>
          <StreamBadge stream={stream} />
        </p>
        <StreamFacts stream={stream} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" busy={trying.isPending} onClick={() => trying.mutate()}>
          {t('audit.stream.test')}
        </Button>
        {stream.kind === 'https' && (
          <Button size="sm" busy={renewing.isPending} onClick={() => renewing.mutate()}>
            {t('audit.stream.renew')}
          </Button>
        )}
        <Button size="sm" onClick={onEdit}>
          {t('audit.stream.change')}
        </Button>
        <Button size="sm" variant="danger-ghost" onClick={() => setRemoving(true)}>
          {t('audit.stream.remove')}
        </Button>
      </div>
      {renewing.data && <StreamSecret secret={renewing.data.secret} onClose={() => renewing.reset()} />}
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={t('audit.stream.remove_title')}
        message={t('audit.stream.remove_text')}
        confirmLabel={t('audit.stream.remove')}
        busy={removing.isPending}
        onConfirm={() => removing.mutate()}
      />
    </>
  )
}

function StreamBadge({ stream: { is_on, error, waiting } }: { stream: AuditStream }) {
  const { t } = useTranslation('admin')
  if (!is_on) return <Badge icon={<CirclePause aria-hidden />}>{t('audit.stream.off')}</Badge>
  if (error !== null)
    return (
      <Badge tone="danger" icon={<CircleAlert aria-hidden />}>
        {t('audit.stream.failing')}
      </Badge>
    )
  if (waiting > 0)
    return (
      <Badge tone="accent" icon={<Clock aria-hidden />}>
        {t('audit.stream.waiting', { count: waiting, shown: formatNumber(waiting) })}
      </Badge>
    )
  return (
    <Badge tone="success" icon={<CircleCheck aria-hidden />}>
      {t('audit.stream.on')}
    </Badge>
  )
}

function StreamFacts({ stream }: { stream: AuditStream }) {
  const { t } = useTranslation('admin')
  const { sent_to, sent_at, waiting, waiting_since, error, failing_since, next_at, is_on } = stream
  const isLate = waiting > 0 && (error !== null || !is_on)
  const facts = [
    sent_at === null
      ? t('audit.stream.nothing_sent')
      : t('audit.stream.sent', { entry: formatNumber(sent_to), time: timeOf(sent_at) }),
    isLate && t('audit.stream.waiting', { count: waiting, shown: formatNumber(waiting) }),
    waiting_since && t('audit.stream.since', { time: timeOf(waiting_since) }),
    failing_since && t('audit.stream.failing_since', { time: timeOf(failing_since) }),
    is_on && next_at && t('audit.stream.next', { time: timeOf(next_at) }),
  ]
  return (
    <>
      <ul className="num mt-1 grid gap-0.5 text-12 text-ink-3">
        {facts.map((fact) => fact && <li key={fact}>{fact}</li>)}
      </ul>
      {error !== null && <p className="mt-1 break-words text-13 text-danger">{error}</p>}
    </>
  )
}

const timeOf = (at: string) => formatDate(at, { dateStyle: 'medium', timeStyle: 'medium' })
