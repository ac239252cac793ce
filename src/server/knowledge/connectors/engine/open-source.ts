import type { Settings } from '#shared/knowledge/connectors/sources.ts'
import { MEGABYTE } from '../../../platform/limits.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { ConnectorRow } from '../connector-store.ts'
import { type OpenedSource, SignedOut } from '../define-connector.ts'
import { sourceOf } from '../known-sources.ts'

type Deps = Pick<Platform, 'config' | 'outbound' | 'secrets'>

/** Opens a source with settings that include the secrets. @throws AppError `invalid`, `not_available` */
export function openSource(
  { config, outbound }: Deps,
  id: string,
  settings: Settings,
  signal: AbortSignal,
): Promise<OpenedSource> {
  const maxBytes = config.ATRIUM_MAX_UPLOAD_MB * MEGABYTE
  return sourceOf(id).open({ settings, config, outbound, maxBytes, signal })
}

/** Returns the settings of a connector with its secrets. @throws SignedOut when the secrets were sealed with another key */
export function settingsOf({ secrets }: Deps, row: Pick<ConnectorRow, 'settings' | 'secrets'>): Settings {
  if (row.secrets === null) return row.settings
  try {
    return { ...row.settings, ...(JSON.parse(secrets.open(row.secrets)) as Settings) }
  } catch (error) {
    throw new SignedOut('The stored secrets cannot be opened. Enter them again.', { cause: error })
  }
}
