import { useMutation, useQuery } from '@tanstack/react-query'
import { BellRing, Monitor, X } from 'lucide-react'
import { useState } from 'react'
import { getPush, type PushBrowser, tryPush } from '#shared/lifecycle/notifications/push.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { findObstacle, PushServiceError, turnOffPush, turnOnPush } from './push-browser.ts'

const queryKey = ['push-browsers']

/** Notifications of this browser, and the person's other browsers that show them. */
export function PushSetting() {
  const { t } = useTranslation('notifications')
  const me = useMe()
  const [obstacle, setObstacle] = useState(findObstacle)
  const { data } = useQuery({ queryKey, queryFn: ({ signal }) => call(getPush, { signal }) })
  const onSettled = () => queryClient.invalidateQueries({ queryKey })
  const on = useMutation({
    mutationFn: (userId: string) => turnOnPush(userId),
    onSettled: () => {
      setObstacle(findObstacle())
      return onSettled()
    },
  })
  const off = useMutation({
    mutationFn: ({ id, current }: PushBrowser) => turnOffPush(id, current),
    onSettled,
  })
  const trial = useMutation({
    mutationFn: () => call(tryPush),
    onSuccess: () => toast.success(t('push.tried')),
  })
  const browsers = data?.browsers ?? []
  const current = browsers.find((browser) => browser.current)
  const others = browsers.filter((browser) => !browser.current)
  const failure = on.error ?? off.error ?? trial.error
  return (
    <div className="grid gap-3">
      {current ? (
        <div className="flex min-h-9 flex-wrap items-center gap-2 text-13">
          <BellRing aria-hidden className="icon text-ink-3" />
          <span className="mr-auto">{t('push.on')}</span>
          <Button size="sm" busy={trial.isPending} onClick={() => trial.mutate()}>
            {t('push.try')}
          </Button>
          <Button size="sm" busy={off.isPending} onClick={() => off.mutate(current)}>
            {t('push.turn_off')}
          </Button>
        </div>
      ) : obstacle ? (
        <p className="text-13 text-ink-2">{t(`push.${obstacle}`)}</p>
      ) : (
        <div className="flex min-h-9 items-center">
          <Button
            size="sm"
            busy={on.isPending}
            disabled={!me || !data}
            onClick={() => me && on.mutate(me.id)}
          >
            {t('push.turn_on')}
          </Button>
        </div>
      )}
      {failure && (
        <Callout tone="danger">
          {failure instanceof PushServiceError ? t('push.service_failed') : errorText(t, failure)}
        </Callout>
      )}
      {others.length > 0 && <Others browsers={others} onRemove={(browser) => off.mutate(browser)} />}
    </div>
  )
}

type OthersProps = { browsers: PushBrowser[]; onRemove: (browser: PushBrowser) => void }

function Others({ browsers, onRemove }: OthersProps) {
  const { t } = useTranslation('notifications')
  return (
    <div>
      <h3 className="mb-1.5 text-12 font-medium text-ink-3">{t('push.others')}</h3>
      <ul className="divide-y divide-line rounded-card border border-line">
        {browsers.map((browser) => (
          <li key={browser.id} className="flex h-11 items-center gap-2.5 pr-1.5 pl-3 text-13">
            <Monitor aria-hidden className="icon flex-none text-ink-3" />
            <span className="min-w-0 flex-1 truncate">{nameOf(browser, t)}</span>
            <IconButton
              name={t('push.remove', { browser: nameOf(browser, t) })}
              size="sm"
              onClick={() => onRemove(browser)}
            >
              <X aria-hidden className="icon" />
            </IconButton>
          </li>
        ))}
      </ul>
    </div>
  )
}

const nameOf = ({ browser, system }: PushBrowser, t: TFunction<'notifications'>) =>
  [browser, system].filter(Boolean).join(', ') || t('push.unknown_browser')
