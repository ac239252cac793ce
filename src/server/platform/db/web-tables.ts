import type { Generated } from 'kysely'
import type {
  ConnectorRights,
  ConnectorState,
  SyncCounts,
  SyncPhase,
} from '#shared/knowledge/connectors/connectors.ts'
import type { Selection, Settings } from '#shared/knowledge/connectors/sources.ts'
import type { LinkPreview } from '#shared/knowledge/link-previews/link-previews.ts'
import type { CreatedAt, Json, OptionalTime, Time } from './columns.ts'

/** Cached web pages until they expire, and data sent to a CRM. */
export type WebTables = {
  web_pages: {
    url_hash: Buffer
    url: string
    title: string
    text: string
    published: string | null
    read_at: Time
  }
  link_previews: {
    url_hash: Buffer
    url: string
    preview: Json<Omit<LinkPreview, 'fetched'>>
    host: string
    image_url: string | null
    read_at: Time
  }
  link_pictures: {
    url_hash: Buffer
    media_type: string | null
    content: Buffer | null
    read_at: Time
  }
  prospect_imports: { execution_id: string; place: number; imported_at: CreatedAt }
}

/** Connectors and the items of their sources (migration 0500). Most are read and written in SQL only. */
export type ConnectorTables = {
  connectors: {
    id: Generated<string>
    class_id: string | null
    user_id: string
    company_id: string | null
    source: string
    name: string
    settings: Json<Settings>
    secrets: string | null
    selection: Json<Selection>
    rights: ConnectorRights
    every_minutes: number
    host: string | null
    state: Generated<ConnectorState>
    error: string | null
    failures: Generated<number>
    sync_number: Generated<number>
    listing_number: Generated<number>
    /** Number of times that the listing of this sync began again. */
    restarts: Generated<number>
    listed_at: OptionalTime
    changes_token: string | null
    phase: SyncPhase | null
    cursor: string | null
    began_at: OptionalTime
    counts: Json<SyncCounts>
    listed: Generated<number>
    next_sync_at: OptionalTime
    wait_until: OptionalTime
    last_sync_at: OptionalTime
    rights_read_at: OptionalTime
    removing: 'delete' | 'keep' | null
    created_at: CreatedAt
  }
  connector_watches: {
    connector_id: string
    secret: string | null
    channels: string | null
    ends_at: OptionalTime
    renew_at: Time
    tried_at: Time
    error: string | null
    notified_at: OptionalTime
  }
  connector_sign_ins: { connector_id: string; sealed: string; signed_in_at: Time }
}
