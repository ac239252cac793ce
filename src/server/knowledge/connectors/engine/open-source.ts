import type { Settings } from '#shared/knowledge/connectors/sources.ts'
import { MEGABYTE } from '../../../platform/limits.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { ConnectorRow } from '../connector-store.ts'
import { type OpenedSource, SignedOut } from '../define-connector.ts'
import { sourceOf } from '../known-sources.ts'
import { openAccount } from '../sign-in/open-account.ts'

type Deps = Pick<Platform, 'config' | 'outbound' | 'secrets' | 'db' | 'clock'>

/** `connectorId` names the connector whose sign-in is used. */
type Use = { connectorId: string | null; mirrors: boolean; signal: AbortSignal }

/** Opens a source with settings that include the secrets. @throws SignedOut, AppError `invalid`, `not_available` */
export async function openSource(
  deps: Deps,
  id: string,
  settings: Settings,
  { connectorId, mirrors, signal }: Use,
): Promise<OpenedSource> {
  const { config, outbound } = deps
  const source = sourceOf(id)
  const maxBytes = config.ATRIUM_MAX_UPLOAD_MB * MEGABYTE
  const account = source.signIn ? await openAccount(deps, source, connectorId) : null
  return source.open({ settings, config, outbound, maxBytes, mirrors, account, signal })
}

/** Returns the settings of a connector with its secrets. @throws SignedOut when the secrets were sealed with another key */
export function settingsOf(
  { secrets }: Pick<Deps, 'secrets'>,
  row: Pick<ConnectorRow, 'settings' | 'secrets'>,
): Settings {
  if (row.secrets === null) return row.settings
  try {
    return { ...row.settings, ...(JSON.parse(secrets.open(row.secrets)) as Settings) }
  } catch (error) {
    throw new SignedOut('The stored secrets cannot be opened. Enter them again.', { cause: error })
  }
}
