import { useSearch } from '@tanstack/react-router'
import { unsubscribe } from '#shared/identity/announcements/announcement-mails.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Heading } from './heading.tsx'

/** Stops announcements by mail after a click, because programs that check links open this page too. */
export function UnsubscribePage() {
  const { t } = useTranslation('login')
  const { token } = useSearch({ strict: false }) as { token?: string }
  return (
    <>
      <Heading title={t('unsubscribe.title')}>{t('unsubscribe.hint')}</Heading>
      {token ? (
        <Unsubscription token={token} />
      ) : (
        <Callout tone="danger">{t('unsubscribe.no_token')}</Callout>
      )}
    </>
  )
}

function Unsubscription({ token }: { token: string }) {
  const { t } = useTranslation('login')
  const stopping = useAction(() => call(unsubscribe, { query: { token } }))
  if (stopping.data)
    return (
      <Callout tone="success" title={stopping.data.message}>
        {t('unsubscribe.again')}
      </Callout>
    )
  return (
    <div className="grid gap-4">
      {stopping.error !== null && <Callout tone="danger">{t('errors.unsubscribe_failed')}</Callout>}
      <Button variant="primary" size="lg" wide busy={stopping.isPending} onClick={() => void stopping.run()}>
        {t('unsubscribe.act')}
      </Button>
    </div>
  )
}
