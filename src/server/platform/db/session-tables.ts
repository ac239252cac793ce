import type { Generated } from 'kysely'
import type { CreatedAt, Json, Num, OptionalJson, OptionalTime, Time } from './columns.ts'

/**
 * Sessions, how each person organizes them, the index of the palette, and memory (migrations 0002, 0342, 0350, 0351, 0352, 0355,
 * 0360, 0380, 0400, 0460).
 */
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
    origin: Generated<'chat' | 'program' | 'embed' | 'try' | 'temporary'>
    visitor_id: string | null
    /** Replies, failures, questions and pauses so far; a trigger counts them. */
    activity: Num
    /** The project of the chat. */
    workspace_id: string | null
    /** Members of the project may read the chat. */
    shared_with_project: Generated<boolean>
    /** Set while it is in the trash. */
    deleted_at: Date | null
    /** When a temporary chat ends unless its browser renews it, and the sign-in it ends with. */
    lease_until: Date | null
    lease_token: Buffer | null
    /** The chat and the message this chat was forked from, and its own copy of that message. */
    forked_from: string | null
    forked_message: string | null
    fork_end: string | null
  }
  queued_messages: {
    id: Generated<string>
    session_id: string
    user_id: string
    way: 'steer' | 'interrupt' | 'queue'
    client_id: string
    content: string
    options: Json<Record<string, unknown>>
    position: number
    failure: string | null
    claimed_at: OptionalTime
    read_at: OptionalTime
    created_at: CreatedAt
  }
  trash_rule: { only_row: Generated<boolean>; days: number }
  session_marks: {
    user_id: string
    session_id: string
    position: number | null
    archived_at: Date | null
    tags: Generated<string[]>
    seen: Num
  }
  home_visits: { user_id: string; since: Date; seen_at: Date }
  search_items: {
    kind: string
    id: string
    user_id: string
    company_id: string | null
    words: string
    updated_at: Date
  }
  search_texts: {
    kind: string
    id: string
    piece: number
    parent_id: string
    owner: string
    at: Date
    words: string
  }
  search_backlog: { kind: string; id: string }
  search_uses: { user_id: string; kind: string; item_id: string; used_at: Date }
  facts: {
    id: Generated<string>
    user_id: string
    workspace_id: string | null
    text: string
    words: string
    origin: 'proposal' | 'remember' | 'manual'
    session_id: string | null
    message_id: string | null
    state: Generated<'kept' | 'proposed' | 'replaced'>
    /** For an earlier version, the fact that replaced it. For a proposal, the fact it contradicts. */
    fact_id: string | null
    learned_at: Time
    replaced_at: Date | null
    used_at: Date | null
    uses: Generated<number>
    embedding: Buffer | null
    embedding_model: string | null
  }
  fact_uses: { message_id: string; fact_id: string; place: number; text: string }
  refused_facts: {
    id: Generated<string>
    user_id: string
    reason: string
    session_id: string | null
    created_at: Time
  }
  memory_settings: {
    user_id: string
    is_on: Generated<boolean>
    proposals: Generated<'keep' | 'ask' | 'refuse'>
  }
  memory_switches: {
    id: Generated<string>
    user_id: string
    session_id: string | null
    assistant_id: string | null
    provider: string | null
  }
}
