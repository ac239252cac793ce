import type { ColumnType, Generated } from 'kysely'
import type { Export } from '#shared/chat/exports/exports.ts'
import type { ErasedCounts } from '#shared/lifecycle/erasure/erasure.ts'
import type {
  ImportFormat,
  ImportPreview,
  ImportProblem,
  ImportState,
  ProblemReason,
} from '#shared/lifecycle/imports/imports.ts'
import type { RetainedKind } from '#shared/lifecycle/retention/retention.ts'
import type { Json, Num, OptionalJson, OptionalTime, Time } from './columns.ts'

/** Exports for users, and the erasure of users. */
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
  erasures: {
    id: Generated<string>
    user_id: string | null
    token_hash: Buffer
    asked_by: 'person' | 'administrator'
    language: string
    email: string | null
    company_id: string | null
    step: Generated<ErasureStep>
    counts: Json<ErasedCounts>
    requested_at: Time
    vectors_at: OptionalTime
    finished_at: OptionalTime
  }
  erasure_files: { erasure_id: string; file_key: string }
  /** Read and written in SQL only (`retention/rule-store.ts`). */
  retention_rules: { kind: RetainedKind; company_id: string | null; days: number | null }
  retention_runs: {
    id: Generated<string>
    step: Generated<RetentionStep>
    began_at: Time
    vectors_at: OptionalTime
    finished_at: OptionalTime
    failed_at: OptionalTime
  }
  /** Read and written in SQL only (`announcements/store.ts`). */
  announcements: { id: string; company_ids: string[] }
  retention_files: { run_id: string; file_key: string }
}

export type ImportedKind =
  | ('chat' | 'message' | 'file' | 'assistant' | 'prompt' | 'fact' | 'schedule')
  | ('run' | 'call' | 'media')
  | ('project' | 'version' | 'journal')

/** Imports of exports of other products, and where imported things come from (migrations 0410, 0470, 0490). */
export type ImportTables = {
  imports: {
    id: Generated<string>
    user_id: string
    upload_id: string
    name: string
    size: Num
    /** Offsets of the stored parts; empty once the file is removed. */
    parts: number[]
    /** JSON files of the archive that contain something to import. */
    sources: Generated<string[]>
    format: ImportFormat | null
    state: Generated<ImportState>
    with_assistants: Generated<boolean>
    done: Generated<number>
    total: number | null
    preview: ColumnType<ImportPreview | null, string | null | undefined, string | null>
    kept: Generated<number>
    error: string | null
    created_at: Time
    updated_at: Time
    finished_at: OptionalTime
  }
  import_problems: {
    import_id: string
    place: number
    number: number
    kind: ImportProblem['kind']
    title: string
    reason: ProblemReason
  }
  imported_things: {
    user_id: string
    source: ImportFormat
    kind: ImportedKind
    foreign_id: string
    thing_id: string
    session_id: string | null
    import_id: string
  }
}

/** The next step of an erasure. */
export type ErasureStep = 'chats' | 'documents' | 'account' | 'files' | 'vectors' | 'versions' | 'done'

/** The next step of a day's deletion. */
export type RetentionStep = RetainedKind | 'stored' | 'vectors' | 'versions' | 'done'
