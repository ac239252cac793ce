import type { ColumnType, Generated } from 'kysely'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { SignUpCompany, SignUpPolicy } from '#shared/identity/accounts/joining.ts'
import type { Scope } from '#shared/platform/http.ts'
import type { OutwardCalls } from '#shared/platform/outward.ts'
import type { ShortcutChanges } from '#shared/platform/shortcut-table.ts'
import type { CreatedAt, Json, Num, OptionalTime, Time } from './columns.ts'

/** Users and their ways to sign in. */
export type AccountTables = {
  companies: {
    id: Generated<string>
    name: string
    requires_second_factor: Generated<boolean>
    members_share: Generated<boolean>
    mails_show_content: Generated<boolean>
    outward_calls: Generated<OutwardCalls>
    second_factor_since: OptionalTime
    max_people: number | null
    storage_mb: number | null
    created_at: CreatedAt
  }
  /** Networks to which a company restricts signing in or its administration (migration 0540). */
  company_networks: {
    id: Generated<string>
    company_id: string
    restricts: 'sign_in' | 'administration'
    network: string
    note: string
    created_at: Time
  }
  /** Classes of data of companies, and the receivers that they restrict (migration 0590). */
  data_classes: {
    id: Generated<string>
    company_id: string
    name: string
    position: number
    is_default: Generated<boolean>
    created_at: CreatedAt
  }
  class_receivers: { company_id: string; receiver: string }
  class_receiver_classes: { company_id: string; receiver: string; class_id: string }
  /** Terms of companies by version, and who accepted them (migration 0541). */
  company_terms: {
    id: Generated<string>
    company_id: string
    version: number
    text_en: string
    text_fr: string
    published_at: Time
    published_by: string
    withdrawn_at: OptionalTime
  }
  terms_acceptances: {
    user_id: string
    terms_id: string
    accepted_at: Time
  }
  /** Controls of the interface that are hidden from groups, companies or everyone (migration 0600). */
  hidden_controls: {
    id: Generated<string>
    control: string
    company_id: string | null
    group_id: string | null
    created_at: CreatedAt
  }
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
    shortcuts: Json<ShortcutChanges>
    password_hash: string | null
    /** Rule that the password broke at the last sign-in. */
    password_due: string | null
    password_set_at: Generated<Date>
    email_verified_at: OptionalTime
    proof_due: Generated<boolean>
    proof_waived: Generated<boolean>
    picture_id: string | null
    beta_access: Generated<boolean>
    deactivated_at: OptionalTime
    /** Company whose directory deactivated the user; null if an administrator did. */
    deactivated_by_directory: string | null
    created_at: CreatedAt
    updated_at: Time
  }
  company_members: {
    company_id: string
    user_id: string
    role: Generated<string>
    is_role_held: Generated<boolean>
  }
  chat_accesses: {
    id: Generated<string>
    user_id: string
    admin_id: string | null
    admin_name: string
    reason: string
    created_at: Time
    expires_at: ColumnType<Date>
    seen_at: OptionalTime
  }
  groups: {
    id: Generated<string>
    company_id: string
    name: string
    from_directory: Generated<boolean>
    created_at: CreatedAt
  }
  grants: {
    id: Generated<string>
    kind: string
    thing: string
    decided_by: string | null
    effect: string
    who: string
    role: string | null
    company_id: string | null
    group_id: string | null
    created_at: CreatedAt
  }
  group_members: { group_id: string; company_id: string; user_id: string }
  access_tokens: {
    id: Generated<string>
    token_hash: Buffer
    user_agent: string | null
    address: string | null
    user_id: string
    created_at: Time
    last_used_at: Time
    expires_at: ColumnType<Date>
    sign_on_id: ColumnType<string | null, string | null | undefined>
  }
  user_pictures: {
    user_id: string
    media_type: 'image/png' | 'image/jpeg' | 'image/webp'
    content: Buffer
  }
  one_time_tokens: {
    token_hash: Buffer
    purpose: 'verify_email' | 'reset_password' | 'sign_on' | 'change_email' | 'let_in'
    user_id: string
    email: string | null
    expires_at: ColumnType<Date>
    used_at: OptionalTime
    created_at: CreatedAt
    sign_on_id: ColumnType<string | null, string | null | undefined>
  }
  identities: {
    provider: string
    subject: string
    user_id: string
    email: string | null
    created_at: CreatedAt
    gone_at: OptionalTime
    shut_out: Generated<boolean>
  }
  sign_on_states: {
    state_hash: Buffer
    provider: string
    redirect_uri: string
    code_verifier: string
    nonce: string
    user_id: string | null
    expires_at: ColumnType<Date>
  }
  sign_on_providers: {
    id: string
    name: string
    is_enabled: boolean
    trusts_addresses: boolean
    settings: Json<unknown>
    rules: Json<unknown>
    secret_sealed: string | null
    secret_set_at: OptionalTime
    revision: Generated<string>
    created_at: CreatedAt
    changed_at: Time
  }
  sign_on_sessions: {
    id: Generated<string>
    user_id: string
    provider: string
    hint_sealed: string
    created_at: Date
  }
  saml_keys: { place: 'current' | 'next'; key_sealed: string; certificate: string; created_at: Date }
  saml_assertions: { assertion_hash: Buffer; expires_at: ColumnType<Date> }
  sign_on_answers: {
    code_hash: Buffer
    request_id: string
    claims: Json<Record<string, unknown>>
    expires_at: ColumnType<Date>
  }
  rate_limits: { key: string; hits: number; expires_at: ColumnType<Date>; about: string | null }
  access_keys: {
    id: Generated<string>
    user_id: string
    kind: Generated<'key' | 'embed' | 'program'>
    name: string
    secret_hash: Buffer
    hint: string
    scopes: Generated<Scope[]>
    monthly_budget: number | null
    created_at: CreatedAt
    expires_at: OptionalTime
    revoked_at: OptionalTime
    last_used_at: OptionalTime
    last_address: string | null
  }
  program_codes: {
    code_hash: Buffer
    user_id: string
    client_id: string
    client_name: string
    redirect_uri: string
    challenge: string
    scopes: Scope[]
    expires_at: Date
    key_id: string | null
    used_at: OptionalTime
  }
  program_tokens: {
    token_hash: Buffer
    key_id: string
    client_id: string
    kind: 'access' | 'refresh'
    expires_at: Date
    used_at: OptionalTime
  }
  embeds: {
    key_id: string
    assistant_id: string
    origins: string[]
    in_extension: Generated<boolean>
    messages_a_day: number
    days_kept: number
  }
  embed_visitors: {
    id: Generated<string>
    key_id: string
    secret_hash: Buffer
    language: 'en' | 'fr'
    created_at: CreatedAt
    last_seen_at: ColumnType<Date>
    day: string
    messages: Generated<number>
  }
  key_months: { key_id: string; month: string; amount: Num; calls: Num }
  known_devices: {
    device_hash: Buffer
    user_id: string
    last_used_at: ColumnType<Date>
    expires_at: ColumnType<Date>
  }
  password_policy: {
    only_row: Generated<boolean>
    min_length: number
    refuses_common: boolean
    min_kinds: number
    history: number
    max_age_days: number | null
    applies: 'now' | 'next_change'
    updated_at: Time
  }
  former_passwords: { id: Generated<string>; user_id: string; password_hash: string }
  sign_up_policy: {
    only_row: Generated<boolean>
    policy: SignUpPolicy
    domains: Json<string[]>
    company: Generated<SignUpCompany>
    updated_at: ColumnType<Date>
  }
  code_apps: {
    user_id: string
    secret: string
    last_step: Num
    created_at: ColumnType<Date>
    confirmed_at: OptionalTime
  }
  recovery_codes: { user_id: string; code_hash: Buffer; used_at: OptionalTime }
  pending_sign_ins: {
    ticket_hash: Buffer
    user_id: string
    expires_at: ColumnType<Date>
    sign_on_id: ColumnType<string | null, string | null | undefined>
  }
  passkeys: {
    id: Generated<string>
    user_id: string
    credential_id: string
    name: string
    public_key: Buffer
    counter: Num
    transports: Json<string[]>
    created_at: ColumnType<Date>
    last_used_at: OptionalTime
  }
  passkey_challenges: {
    ticket_hash: Buffer
    challenge: string
    user_id: string | null
    expires_at: ColumnType<Date>
  }
  invitations: {
    id: Generated<string>
    token_hash: Buffer | null
    company_id: string
    role: RoleName
    email: string | null
    invited_by: string | null
    created_at: ColumnType<Date>
    sent_at: OptionalTime
    expires_at: ColumnType<Date>
    used_at: OptionalTime
    used_by: string | null
  }
  service_connections: {
    user_id: string
    service: string
    refresh_token: string
    connected_at: CreatedAt
  }
}
