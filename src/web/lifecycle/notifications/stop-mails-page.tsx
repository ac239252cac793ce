import { useSearch } from '@tanstack/react-router'
import { unsubscribeNotifications } from '#shared/lifecycle/notifications/notification-mails.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'

/** Stops mails about one kind of notification after a click, without signing in. Programs that check links open this page too. */
export function StopMailsPage() {
  const { t } = useTranslation(['notifications', 'login', 'common'])
  const { token = '' } = useSearch({ strict: false }) as { token?: string }
  const stopping = useAction(() => call(unsubscribeNotifications, { query: { token } }))
  return (
    <>
      <title>{`${t('notifications:stop.title')} · ${t('common:app_name')}`}</title>
      <h1 data-view-title tabIndex={-1} className="mb-1 text-22 font-semibold tracking-[-0.02em]">
        {t('notifications:stop.title')}
      </h1>
      <p className="mb-5.5 text-ink-2">{t('notifications:stop.hint')}</p>
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
