import type { Generated } from 'kysely'
import type { Export } from '#shared/exports/exports.ts'
import type { Json, Num, OptionalJson, OptionalTime, Time } from './columns.ts'

/** What leaves: files that are made for people. */
export type ExportTables = {
  share_links: {
    id: string
    user_id: string
    session_id: string
    leaf_id: string
    token_hash: Buffer
    token: string
    title: string
    messages: number
    hides_steps: boolean
    views: Generated<number>
    created_at: Time
    expires_at: OptionalTime
  }
  /** Read and written in SQL only (`shares/store.ts`). */
  share_link_files: { link_id: string; place: number; document_id: string; version: number }
  exports: {
    id: string
    user_id: string
    session_id: string | null
    kind: Export['kind']
    wish: Json<unknown>
    name: string
    state: Generated<Export['state']>
    progress: Num
    stage: OptionalJson
    error: string | null
    file_key: string | null
    size: number | null
    created_at: Time
    expires_at: Time
  }
}
