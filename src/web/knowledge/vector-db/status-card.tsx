import { CircleCheck, KeyRound, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { readAgain, useStatus } from './use-vector-db.ts'

/** The status and size of the vector store. */
export function StatusCard() {
  const { t } = useTranslation('vectors')
  const [isAsking, setAsking] = useState(false)
  const { data, error } = useStatus()
  const isThere = data?.status === 'connected'
  return (
    <section
      aria-label={t('status.title')}
      className="grid gap-2 border-b border-line pb-4 text-12 text-ink-2"
    >
      <div className="flex min-h-8 items-center gap-1">
        {data && (
          <Badge tone={isThere ? 'success' : 'danger'} icon={isThere && <CircleCheck aria-hidden />}>
            {t(`status.${data.status}`)}
          </Badge>
        )}
        <span className="flex-1" />
        <IconButton size="xs" name={t('token.update')} onClick={() => setAsking(true)}>
          <KeyRound aria-hidden className="icon-14" />
        </IconButton>
        <IconButton size="xs" name={t('refresh')} onClick={() => void readAgain()}>
          <RefreshCw aria-hidden className="icon-14" />
        </IconButton>
      </div>
      {error && <Callout tone="danger">{t('errors.status', { message: errorText(t, error) })}</Callout>}
      {data && (
        <>
          <span className="truncate">
            {data.engine} · {data.location.startsWith('s3:') ? data.location : t(`status.${data.location}`)}
          </span>
          <span className="num">
            {t('objects_count', { count: data.objects, number: formatNumber(data.objects) })} ·{' '}
            {sizeText(t, data.size_bytes)} · {t('status.fragments', { count: data.fragments })}
          </span>
        </>
      )}
      <TokenDialog isOpen={isAsking} onClose={() => setAsking(false)} />
    </section>
  )
}
