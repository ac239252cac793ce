import { unsubscribeNotifications } from '#shared/lifecycle/notifications/notification-mails.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Heading } from './heading.tsx'

/** Stops mails about one kind of notification after a click, without signing in. */
export function StopNotifications({ token }: { token: string }) {
  const { t } = useTranslation(['notifications', 'login'])
  const stopping = useAction(() => call(unsubscribeNotifications, { query: { token } }))
  return (
    <>
      <Heading title={t('notifications:stop.title')}>{t('notifications:stop.hint')}</Heading>
      {stopping.data ? (
        <Callout tone="success" title={stopping.data.message}>
          {t('notifications:stop.again')}
        </Callout>
      ) : (
        <div className="grid gap-4">
          {stopping.error !== null && <Callout tone="danger">{t('login:errors.unsubscribe_failed')}</Callout>}
          <Button
            variant="primary"
            size="lg"
            wide
            busy={stopping.isPending}
            onClick={() => void stopping.run()}
          >
            {t('login:unsubscribe.act')}
          </Button>
        </div>
      )}
    </>
  )
}
