import type { ColumnType, Generated } from 'kysely'
import type { CreatedAt, Json } from './columns.ts'

/** Provider keys and rate limits per minute. */
export type ModelTables = {
  model_keys: {
    id: Generated<string>
    connection_id: string
    api_key_sealed: string
    created_at: CreatedAt
  }
  model_key_rests: {
    connection_id: string
    key_id: string
    until: ColumnType<Date, never, never>
    refused: boolean
  }
  model_limits: {
    provider: string
    requests_per_minute: number | null
    tokens_per_minute: number | null
    one_at_a_time: boolean | null
    first_token_seconds: number | null
  }
  model_requests: {
    id: Generated<string>
    provider: string
    begins: ColumnType<Date, never, never>
    tokens: number
  }
}

/** Personal details that are replaced in calls to providers (migration 0610). */
export type MaskingTables = {
  company_masking: {
    company_id: string
    mode: 'off' | 'choice' | 'on'
    kinds: string[]
    connections: Json<Record<string, boolean>>
  }
  person_masking: { user_id: string; is_on: boolean }
  chat_masking: { session_id: string; values_sealed: string | null; is_on: boolean | null }
  masked_replies: { message_id: string; session_id: string; placeholders: string[] }
}
