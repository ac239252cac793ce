import type { Generated } from 'kysely'
import type { Json, Num, OptionalJson, Time } from './columns.ts'

/** Sessions, how each person organizes them, and the index of the palette (migrations 0002, 0342, 0355). */
export type SessionTables = {
  sessions: {
    id: Generated<string>
    user_id: string
    title: string
    title_source: Generated<'default' | 'message' | 'model' | 'user'>
    status: Generated<string>
    agent_status: string | null
    model_name: string | null
    session_metadata: Json<Record<string, unknown>>
    active_leaf: string | null
    epoch: Num
    pending_input: OptionalJson
    preview: string | null
    created_at: Time
    updated_at: Time
    stored_bytes: Num
    /** Origin of the chat: a user, another program, or a visitor of an embedded assistant. */
    origin: Generated<'chat' | 'program' | 'embed' | 'try'>
    visitor_id: string | null
    /** Replies, failures, questions and pauses so far; a trigger counts them. */
    activity: Num
    /** Set while a deleted chat can be restored. */
    deleted_at: Date | null
  }
  session_marks: {
    user_id: string
    session_id: string
    position: number | null
    archived_at: Date | null
    tags: Generated<string[]>
    seen: Num
  }
  search_items: {
    kind: string
    id: string
    user_id: string
    company_id: string | null
    words: string
    updated_at: Date
  }
  search_uses: { user_id: string; kind: string; item_id: string; used_at: Date }
}
