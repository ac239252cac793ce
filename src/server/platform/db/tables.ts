import type { ColumnType, Generated } from 'kysely'
import type { Belief } from '#shared/chat/beliefs/beliefs.ts'
import type {
  DocumentPart,
  DocumentPhase,
  DocumentStatus,
  Failure,
  Pipeline,
  Report,
} from '#shared/knowledge/documents/documents.ts'
import type { TextEncoding } from '#shared/knowledge/documents/encodings.ts'
import type { UploadOptions } from '#shared/knowledge/documents/uploads.ts'
import type { Reconciliation } from '#shared/knowledge/vector-db/vector-db.ts'
import type { Place } from '#shared/platform/place.ts'
import type { FeedbackReason, Rating } from '#shared/runs/runs/rating.ts'
import type { CodeFile } from '#shared/tools/tools/code-port.ts'
import type { TableSpec } from '../vectors/vectors.ts'
import type { AccountTables } from './account-tables.ts'
import type { AssistantTables } from './assistant-tables.ts'
import type { CreatedAt, Json, Num, OptionalJson, OptionalTime, Time } from './columns.ts'
import type { ExportTables, ImportTables } from './export-tables.ts'
import type { HouseTables } from './house-tables.ts'
import type { MaskingTables, ModelTables } from './model-tables.ts'
import type { MoneyTables, PausedFor } from './money-tables.ts'
import type { OwnToolTables } from './own-tool-tables.ts'
import type { ProjectTables } from './project-tables.ts'
import type { PromptTables } from './prompt-tables.ts'
import type { RetrievalTables } from './retrieval-tables.ts'
import type { SessionTables } from './session-tables.ts'
import type { ConnectorTables, WebTables } from './web-tables.ts'
import type { WebhookTables } from './webhook-tables.ts'

export type Tables = AccountTables &
  AssistantTables &
  ConnectorTables &
  MaskingTables &
  ModelTables &
  MoneyTables &
  OwnToolTables &
  ExportTables &
  HouseTables &
  ImportTables &
  ProjectTables &
  PromptTables &
  RetrievalTables &
  WebTables &
  SessionTables &
  WebhookTables & {
    messages: {
      id: Generated<string>
      session_id: string
      parent_id: string | null
      client_id: string | null
      role: 'user' | 'assistant'
      agent_type: string | null
      model_name: string | null
      content: Generated<string>
      blocks: Json<unknown[]>
      status: Generated<string>
      is_modified: Generated<boolean>
      metadata: Json<Record<string, unknown>>
      /** May contain text that someone other than the owner of the chat wrote, such as a message of a member or a copied one. */
      is_by_others: Generated<boolean>
      created_at: Time
      /** Storage size of the page, computed by the database. */
      bytes: ColumnType<number, never, never>
    }
    branch_visits: { leaf_id: string; session_id: string; visited_at: Time }
    runs: {
      id: Generated<string>
      kind: Generated<'chat' | 'tool'>
      user_id: string
      session_id: string | null
      user_message_id: string | null
      message_id: string | null
      /** Project of the chat when the run began. A trigger sets it. */
      workspace_id: Generated<string | null>
      parent_run_id: string | null
      forked_from_run: string | null
      forked_from_position: number | null
      agent_type: string
      agent_version: number
      model_name: string | null
      state: Generated<'queued' | 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'stopped'>
      owner: string | null
      epoch: Num
      attempt: Generated<number>
      turned: Generated<number>
      fruitless: Generated<number>
      silent: Generated<number>
      stop_requested: Generated<boolean>
      pause_requested: Generated<boolean>
      paused_for: PausedFor | null
      paused_budget: string | null
      error: OptionalJson
      created_at: Time
      finished_at: OptionalTime
      worked_ms: Generated<number>
      /** Bytes stored by a tool run outside chats, set when it ends. Tool runs in chats count with their session. */
      stored_bytes: Num
    }
    run_records: {
      run_id: string
      position: number
      key: string
      kind: 'input' | 'started' | 'step' | 'checkpoint' | 'ask' | 'answer' | 'pause' | 'resume' | 'end'
      value: OptionalJson
      attempt: Generated<number>
      epoch: Num
      created_at: CreatedAt
    }
    checkpoint_labels: { run_id: string; key: string; label: string; updated_at: Time }
    run_events: {
      run_id: string
      session_id: string
      first_id: Num
      last_id: Num
      events: Json<unknown[]>
      created_at: CreatedAt
    }
    tool_executions: {
      id: string
      run_id: string
      user_id: string
      session_id: string | null
      tool_id: string
      input: OptionalJson
      result: OptionalJson
      error: string | null
      status: string
      created_at: CreatedAt
      finished_at: OptionalTime
    }
    /** Written by the database and read in SQL only (`user-events/store.ts`). */
    user_events: { id: number; user_id: string; kind: string; data: object; created_at: CreatedAt }
    input_requests: {
      run_id: string
      key: string
      user_id: string
      session_id: string | null
      tool_execution_id: string | null
      checkpoint_name: string
      request: OptionalJson
      state: Generated<'waiting' | 'answered' | 'expired' | 'closed'>
      deadline: OptionalTime
      answer: OptionalJson
      answered_at: OptionalTime
      created_at: Time
      names_approver: Generated<boolean>
      approver_company_id: string | null
      approver_user_id: string | null
      approver_group_id: string | null
      deputy_user_id: string | null
      deputy_group_id: string | null
      deputy_from: OptionalTime
      deputy_notified: Generated<boolean>
      answered_by: string | null
    }
    input_files: {
      id: Generated<string>
      user_id: string
      run_id: string | null
      file_key: string
      name: string
      media_type: string
      size: Num
      created_at: CreatedAt
    }
    media: {
      id: string
      user_id: string
      run_id: string
      name: string
      media_type: string
      size: Num
      file_key: string
      created_at: CreatedAt
    }
    code_folders: { session_id: string; files: Json<CodeFile[]>; updated_at: Time }
    feedback: {
      message_id: string
      user_id: string
      rating: Rating
      reason: FeedbackReason | null
      comment: string | null
      chunk_ids: Generated<string[]>
      changed_at: Time
      /** Administrators may see the question and the passages. */
      is_shown: Generated<boolean>
    }
    tool_policies: {
      tool_id: string
      user_id: string | null
      assistant_id: string | null
      policy: 'auto' | 'ask' | 'never'
      tool_version: number | null
      updated_at: Time
    }
    beliefs: { run_id: string; message_id: string; content: Json<Belief>; created_at: CreatedAt }
    instances: {
      id: string
      lock_id: number
      worker_ids: Generated<string[]>
      works: Generated<boolean>
      started_at: CreatedAt
    }
    assistants: {
      id: Generated<string>
      user_id: string
      name: string
      description: Generated<string>
      icon: string | null
      agent_type: Generated<string>
      model_name: string | null
      system_prompt: Generated<string>
      example_prompts: Json<string[]>
      temperature: number | null
      documents: Json<string[]>
      workspaces: Json<string[]>
      tools: OptionalJson
      tool_versions: ColumnType<Record<string, number>, string | undefined, string>
      status: Generated<'draft' | 'published'>
      /** Anybody but the owner has written its words, now or earlier. */
      is_by_others: Generated<boolean>
      created_at: CreatedAt
      updated_at: Time
    }
    model_connections: {
      id: Generated<string>
      provider: string
      name: string
      kind: string
      base_url: string | null
      api_key_sealed: string | null
      model_ids: ColumnType<string[], string | undefined, string>
      api_version: string | null
      entra: OptionalJson
      options: OptionalJson
      enabled: Generated<boolean>
      status: Generated<string>
      status_detail: string | null
      created_at: CreatedAt
      updated_at: Time
    }
    model_overrides: {
      model_id: string
      offered: boolean | null
      input_price: number | null
      output_price: number | null
      context_tokens: number | null
      fallback_id: string | null
      updated_at: Time
    }
    model_calibrations: { model_id: string; factor: number; samples: Generated<number>; updated_at: Time }
    model_adaptations: {
      model_id: string
      base_url: string
      name: string
      about: Generated<string>
      value: number | null
      said: string
      learned_at: Time
      expires_at: Time
    }
    blobs: {
      id: Generated<string>
      user_id: string
      sha256: string
      size: number
      file_key: string
      created_at: CreatedAt
    }
    readings: {
      id: Generated<string>
      blob_id: string
      user_id: string
      pipeline: Pipeline
      encoding: Generated<TextEncoding | ''>
      name: string
      status: Generated<DocumentStatus>
      phase: Generated<Exclude<DocumentPhase, 'UPLOAD'>>
      attempt: Num
      tries: Num
      done: Num
      total: Num
      format: string | null
      language: string | null
      failure: ColumnType<Failure | null, string | null | undefined, string | null>
      warnings: Json<Failure[]>
      facts: Json<Record<string, string | number>>
      report: ColumnType<Report | null, string | null | undefined, string | null>
      files: Generated<string[]>
      parts: Num
      chunks: Num
      stored_bytes: Num
      embedding_model: string | null
      /** True when the embedding model may not receive the class of its document. */
      words_only: Generated<boolean>
      words_only_checked_at: OptionalTime
      parse_ms: number | null
      chunking_ms: number | null
      embedding_ms: number | null
      phase_began_at: OptionalTime
      created_at: CreatedAt
      updated_at: Time
    }
    reading_parts: {
      reading_id: string
      number: number
      page: ColumnType<DocumentPart['page'], string | null | undefined, string | null>
      elements: Json<DocumentPart['elements']>
      words: Json<DocumentPart['words']>
    }
    chunks: {
      id: string
      reading_id: string
      position: number
      element_id: string
      type: string
      text: string
      heading_path: Generated<string[]>
      place: Json<Place>
      page_number: number | null
      is_embedded: Generated<boolean>
    }
    chunk_vectors: { chunk_id: string; model: string; vector: Buffer }
    documents: {
      id: Generated<string>
      class_id: string | null
      user_id: string
      company_id: string | null
      name: string
      extension: string
      size: number
      reading_id: string
      version: Num
      is_starred: Generated<boolean>
      parent_id: string | null
      purpose: string | null
      tags: Generated<string[]>
      status: Generated<DocumentStatus>
      format: string | null
      language: string | null
      created_at: CreatedAt
      updated_at: Time
      /** Set while it is in the trash. */
      deleted_at: Date | null
      /** The connector and the item it was read from. */
      connector_id: string | null
      connector_item_id: string | null
    }
    document_versions: {
      document_id: string
      version: number
      reading_id: string
      name: string
      created_at: CreatedAt
    }
    session_documents: { session_id: string; document_id: string; added_at: CreatedAt }
    session_workspaces: { session_id: string; workspace_id: string; added_at: CreatedAt }
    collections: {
      id: Generated<string>
      name: string
      description: string | null
      table_name: string
      model: string | null
      spec: Json<TableSpec>
      configuration: Json<unknown>
      created_at: CreatedAt
      changed_at: Time
      reconciled_at: OptionalTime
      mended: ColumnType<Reconciliation['mended'], string | null | undefined, string | null>
      role: Generated<'live' | 'building' | 'kept' | 'leaving'>
      kept_since: OptionalTime
      standstill: string | null
    }
    indexed_readings: { collection_id: string; reading_id: string; attempt: number; chunks: number }
    uploads: {
      id: Generated<string>
      user_id: string
      name: string
      size: number
      received: Num
      parts: Generated<number[]>
      options: Json<UploadOptions>
      /** The file of an import, which becomes no document. */
      is_import: Generated<boolean>
      created_at: CreatedAt
      updated_at: Time
    }
    stray_files: { file_key: string; seen_at: Date }
  }
