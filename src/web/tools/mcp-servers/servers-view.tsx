import { Link, useNavigate } from '@tanstack/react-router'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { View } from '../../platform/ui/view.tsx'
import { BackLink } from './back-link.tsx'
import { ServerForm } from './server-form.tsx'
import { StateBadge } from './state-badge.tsx'
import { useConnecting, useServers } from './use-servers.ts'

/** MCP servers available to the user, with a form to connect another one. */
export function ServersView() {
  const { t } = useTranslation('tools')
  const navigate = useNavigate()
  const { data: servers, error, refetch } = useServers()
  const { data: may } = useConnecting()
  return (
    <View title={t('servers.title')}>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="in-order mx-auto flex max-w-[760px] flex-col gap-8 px-8 py-6 max-md:px-4">
          <BackLink to="/tools">{t('back')}</BackLink>
          <p className="text-13 text-ink-2">{t('servers.intro')}</p>
          {error && !servers && (
            <Callout
              tone="danger"
              title={t('servers.list_failed')}
              action={
                <Button size="sm" onClick={() => void refetch()}>
                  {t('common:actions.retry')}
                </Button>
              }
            >
              {errorText(t, error)}
            </Callout>
          )}
          {!servers && !error && <Skeletons className="grid gap-2" sizes={['h-12 w-full rounded-card']} />}
          {servers?.length === 0 && <p className="text-13 text-ink-2">{t('servers.none')}</p>}
          {servers && servers.length > 0 && (
            <ul className="rounded-card border border-line">
              {servers.map(({ id, name, error: away, tools, is_known, shared_by }) => (
                <li
                  key={id}
                  className="flex flex-wrap items-center gap-x-3 border-b border-line px-3.5 py-2.5 last:border-b-0"
                >
                  <Link
                    to="/tools/servers/$serverId"
                    params={{ serverId: id }}
                    className="min-w-0 flex-1 truncate text-13 font-medium"
                  >
                    {name}
                  </Link>
                  {shared_by && (
                    <span className="text-12 text-ink-3">{t('shared_by', { name: shared_by })}</span>
                  )}
                  <span className="text-12 text-ink-3">{t('servers.count', { count: tools })}</span>
                  <StateBadge error={away} is_known={is_known} />
                </li>
              ))}
            </ul>
          )}
          {may && !may.http && !may.stdio && <p className="text-13 text-ink-2">{t('servers.not_allowed')}</p>}
          {may && (may.http || may.stdio) && (
            <section className="grid gap-4">
              <h2 className="text-16 font-semibold">{t('servers.connect_title')}</h2>
              <ServerForm
                server={null}
                onSaved={({ id }) =>
                  void navigate({ to: '/tools/servers/$serverId', params: { serverId: id } })
                }
              />
            </section>
          )}
        </div>
      </div>
    </View>
  )
}
