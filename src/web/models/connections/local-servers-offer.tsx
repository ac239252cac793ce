import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Delayed } from '../../platform/ui/states/skeleton.tsx'
import { useLocalServers } from './use-local-servers.ts'

/** Detected local model servers, each with a connect button. */
export function LocalServersOffer() {
  const { t } = useTranslation('admin')
  const { servers, isSearched, connect, connectingTo } = useLocalServers()
  if (!isSearched) return <Delayed />
  return servers.map((server) => (
    <Callout
      key={server.base_url}
      tone="accent"
      className="mt-4 items-center"
      title={t('models.local.runs', { name: server.name })}
      action={
        <Button
          size="sm"
          aria-label={t('models.local.connect_named', { name: server.name })}
          busy={connectingTo === server.base_url}
          disabled={connectingTo !== null}
          onClick={() => connect(server)}
        >
          {t('models.local.connect')}
        </Button>
      }
    >
      {server.models === 0
        ? t('models.local.offers_none')
        : t('models.local.offers', { count: server.models })}{' '}
      <span className="num text-12 text-ink-3">{server.base_url}</span>
    </Callout>
  ))
}
