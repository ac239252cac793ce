import type { ColumnType, Generated } from 'kysely'
import type { Belief } from '#shared/beliefs/beliefs.ts'

type CreatedAt = ColumnType<Date, Date | undefined, never>
type Time = ColumnType<Date, Date | undefined, Date>
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>
/** JSON goes in as text (`JSON.stringify`) and comes out parsed. */
type Json<T> = ColumnType<T, string | undefined, string>
type OptionalJson = ColumnType<unknown, string | null | undefined, string | null>
/** bigint and numeric come out as numbers: stream ids and cents stay far below 2⁵³. */
type Num = ColumnType<number, number | undefined, number>

export type Tables = {
  companies: { id: Generated<string>; name: string; created_at: CreatedAt }
  users: {
    id: Generated<string>
    username: string
    name_skeleton: string
    email: string
    full_name: string | null
    language: Generated<string>
    bio: string | null
    writing_style_examples: Json<string[]>
    preferences: Json<Record<string, unknown>>
    password_hash: string | null
    email_verified_at: OptionalTime
    beta_access: Generated<boolean>
    created_at: CreatedAt
    updated_at: Time
  }
  company_members: { company_id: string; user_id: string; role: Generated<string> }
  access_tokens: {
    token_hash: Buffer
    user_id: string
    created_at: Time
    last_used_at: Time
    expires_at: ColumnType<Date>
  }
  one_time_tokens: {
    token_hash: Buffer
    purpose: 'verify_email' | 'reset_password' | 'sign_on'
    user_id: string
    email: string | null
    expires_at: ColumnType<Date>
    used_at: OptionalTime
    created_at: CreatedAt
  }
  identities: {
    provider: string
    subject: string
    user_id: string
    email: string | null
    created_at: CreatedAt
  }
  sign_on_states: {
    state_hash: Buffer
    provider: string
    redirect_uri: string
    code_verifier: string
    nonce: string
    expires_at: ColumnType<Date>
  }
  rate_limits: { key: string; hits: number; expires_at: ColumnType<Date>; about: string | null }
  known_devices: {
    device_hash: Buffer
    user_id: string
    last_used_at: ColumnType<Date>
    expires_at: ColumnType<Date>
  }
  sessions: {
    id: Generated<string>
    user_id: string
    title: string
    title_source: Generated<'default' | 'message' | 'user'>
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
  }
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
    created_at: Time
    /** What it takes of a page; the database counts. */
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
    paused_for: 'request' | 'balance' | null
    error: OptionalJson
    created_at: Time
    finished_at: OptionalTime
    /** Of a tool beside the chats, once it is over; what a chat's runs keep counts with their session. */
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
  tool_policies: {
    tool_id: string
    user_id: string | null
    assistant_id: string | null
    policy: 'auto' | 'ask' | 'never'
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
    company_id: string | null
    name: string
    description: Generated<string>
    icon: string | null
    agent_type: Generated<string>
    model_name: string | null
    system_prompt: Generated<string>
    example_prompts: Json<string[]>
    temperature: number | null
    documents: Json<string[]>
    tools: OptionalJson
    status: Generated<'draft' | 'published'>
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
    updated_at: Time
  }
  model_calibrations: { model_id: string; factor: number; samples: Generated<number>; updated_at: Time }
  ledger_entries: {
    id: Generated<string>
    user_id: string
    kind: 'start' | 'top_up' | 'usage' | 'absorbed' | 'correction'
    amount: number
    reason: Generated<string>
    model_name: string | null
    session_id: string | null
    run_id: string | null
    step_key: string | null
    attempt: number | null
    input_tokens: number | null
    output_tokens: number | null
    cached_tokens: number | null
    unpriced: Generated<boolean>
    estimated: Generated<boolean>
    estimated_amount: number | null
    created_at: CreatedAt
  }
  user_balances: { user_id: string; balance: Num; entries: Num }
  user_months: {
    user_id: string
    month: string
    amount: number
    input_tokens: Num
    output_tokens: Num
    calls: Num
  }
  balance_reservations: {
    id: string
    user_id: string
    instance_id: string
    run_id: string
    amount: number
    created_at: CreatedAt
  }
}
