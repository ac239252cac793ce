import { Wifi, WifiOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatTime } from '../../i18n/format.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { useReachability } from '../../lib/api/reachability.ts'
import { refetchMe } from '../../lib/me/me.ts'
import { useOnline } from '../../lib/page-state.ts'
import { Button } from '../button.tsx'

const BACK_MS = 3000

/** Shown below the top bar without a network or server; briefly confirms when it is back. */
export function OfflineBanner() {
  const { t } = useTranslation('common')
  const hasNetwork = useOnline()
  const { isReachable, lastSeen } = useReachability()
  const isOffline = !hasNetwork || !isReachable
  const isBack = useJustBack(isOffline)
  if (isOffline)
    return (
      <div role="status" className={`${look} bg-warning-soft`}>
        <WifiOff aria-hidden className="icon text-warning" />
        <span className="min-w-0 flex-1 py-1.5">
          <span className="font-medium">{t(hasNetwork ? 'offline.unreachable' : 'offline.title')}</span>{' '}
          <span className="text-ink-2">{t('offline.text')}</span>
        </span>
        {lastSeen !== null && (
          <span className="num text-12 text-ink-3 max-md:hidden">
            {t('offline.seen', { time: formatTime(new Date(lastSeen)) })}
          </span>
        )}
        <Button size="sm" onClick={() => void refetchMe()}>
          {t('offline.retry')}
        </Button>
      </div>
    )
  if (!isBack) return null
  return (
    <div role="status" className={`${look} bg-success-soft`}>
      <Wifi aria-hidden className="icon text-success" />
      <span className="font-medium">{t('offline.back')}</span>
    </div>
  )
}

function useJustBack(isOffline: boolean): boolean {
  const wasOffline = useRef(isOffline)
  const [isBack, setBack] = useState(false)
  useEffect(() => {
    const hasReturned = wasOffline.current && !isOffline
    wasOffline.current = isOffline
    setBack(hasReturned)
    if (!hasReturned) return
    const timer = setTimeout(() => setBack(false), BACK_MS)
    return () => clearTimeout(timer)
  }, [isOffline])
  return isBack
}

const look = 'flex min-h-10 flex-none items-center gap-2.5 border-b border-line pr-3 pl-5 text-13'
