import type { ConnectorItem } from '#shared/knowledge/connectors/connector-items.ts'
import type { Connector, SourceNotifications } from '#shared/knowledge/connectors/connectors.ts'
import type { Source } from '#shared/knowledge/connectors/sources.ts'
import { type CountedRow, UNDO_DAYS } from './connector-store.ts'
import type { ConnectorSource } from './define-connector.ts'
import type { DifferingRow } from './differing-store.ts'
import { listKnownSources } from './known-sources.ts'

const DAY_MS = 86_400_000

export const showSource = (source: ConnectorSource): Source => ({
  ...{ id: source.id, fields: source.fields, personal: source.personal },
  ...{ mirrors_rights: source.mirrorsRights, has_folders: source.hasFolders },
  signs_in: source.signIn !== undefined,
})

export function showConnector(row: CountedRow, isReachable: boolean): Connector {
  const { id, source, name, company_id, owner_name, state, error, settings, selection, rights, readers } = row
  const known = listKnownSources().find((one) => one.id === source)
  const secrets = known?.fields.filter(({ type }) => type === 'secret').map(({ name }) => name) ?? []
  const { read, refused, bytes, documents_waiting, documents_failed, listed, every_minutes, embedding_cost } =
    row
  return {
    ...{ id, source, name, company_id, owner_name, state, error, settings, selection, rights, readers },
    ...{ read, refused, bytes, embedding_cost, documents_waiting, documents_failed, listed, every_minutes },
    secrets: row.secrets === null ? [] : secrets,
    notifications: notificationsOf(row, known, isReachable),
    last_sync_at: row.last_sync_at?.toISOString() ?? null,
    next_sync_at: row.next_sync_at?.toISOString() ?? null,
    rights_read_at: row.rights_read_at?.toISOString() ?? null,
    progress: row.phase && { phase: row.phase, listed, waiting: row.waiting },
    removal: showRemoval(row.removal),
    created_at: row.created_at.toISOString(),
  }
}

function notificationsOf(
  { is_watched, is_unfollowed }: CountedRow,
  source: ConnectorSource | undefined,
  isReachable: boolean,
): SourceNotifications {
  if (source?.follows) return is_unfollowed ? 'off' : 'on'
  if (!source?.judge) return 'none'
  if (!isReachable) return 'unreachable'
  return is_watched ? 'on' : 'off'
}

function showRemoval(removal: CountedRow['removal']): Connector['removal'] {
  if (!removal) return null
  const { id, state, missing, of, folders } = removal
  // Times inside of JSON arrive as text.
  const answered = removal.answered_at && new Date(removal.answered_at)
  return {
    ...{ id, state, missing, of, folders },
    asked_at: new Date(removal.asked_at).toISOString(),
    undo_until: answered && new Date(answered.getTime() + UNDO_DAYS * DAY_MS).toISOString(),
  }
}

export function showItem({ since, size, ...row }: DifferingRow): ConnectorItem {
  return { ...row, size: size === null ? null : Number(size), since: since.toISOString() }
}
