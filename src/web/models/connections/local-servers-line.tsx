import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { availableModels } from '../../platform/lib/models/available-models.ts'
import { useLocalServers } from './use-local-servers.ts'

/**
 * Muted line in an empty chat while only the built-in model is available: it offers to connect a server that was found, or to run a
 * model on this machine. It fills the space below the examples, so
 * that the layout does not shift.
 */
export function LocalServersLine() {
  const { t } = useTranslation('admin')
  const { data: models } = useQuery(availableModels)
  const isAlone = models?.every(({ id }) => id === BUILT_IN_MODEL) ?? false
  const { servers, isSearched, connect, connectingTo } = useLocalServers({ enabled: isAlone })
  const offered = isAlone ? servers.filter((server) => server.models > 0) : []
  if (!isAlone || !isSearched) return null
  if (offered.length === 0)
    return (
      <p className="column -mt-9 flex h-9 items-center justify-center gap-x-3 text-13 text-ink-2">
        <span className="truncate">{t('models.local.only_built_in')}</span>
        <Link
          to="/admin/models"
          hash="local"
          className="flex items-center rounded-control font-medium whitespace-nowrap text-accent hover:underline max-md:min-h-11"
        >
          {t('models.local.run_here')}
        </Link>
      </p>
    )
  return (
    <p className="column -mt-9 flex h-9 items-center justify-center gap-x-3 text-13 text-ink-2">
      <span className="truncate">{t('models.local.noticed')}</span>
      {offered.map((server) => (
        <button
          key={server.base_url}
          type="button"
          disabled={connectingTo !== null}
          className="rounded-control font-medium whitespace-nowrap text-accent hover:underline disabled:text-ink-3 max-md:min-h-11"
          onClick={() => connect(server)}
        >
          {t('models.local.connect_named', { name: server.name })}
        </button>
      ))}
    </p>
  )
}
