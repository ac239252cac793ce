import type { Generated } from 'kysely'
import type { SetupOutcome, SetupStep } from '#shared/lifecycle/setup/setup.ts'
import type { DatabaseKind, DatabaseTable } from '#shared/tools/databases/databases.ts'
import type { CreatedAt, Json, Num, OptionalTime, Time } from './columns.ts'

/** Installation settings made by super admins. */
export type HouseTables = {
  mail_settings: {
    only_row: Generated<boolean>
    host: string
    port: number
    security: 'starttls' | 'tls' | 'none'
    username: string | null
    password_sealed: string | null
    sender: string
    updated_at: Time
  }
  /** The process that reads the mailbox, and how that went (migration 0480). */
  mailbox_state: {
    only_row: Generated<boolean>
    holder: string
    held_until: Time
    read_at: OptionalTime
    error: string | null
  }
  /** The receiver of the audit log, and how sending goes (migration 0510). */
  audit_stream: {
    only_row: Generated<boolean>
    address: string
    secret: string
    previous_secret: string | null
    previous_until: OptionalTime
    is_on: boolean
    sent_to: Num
    sent_at: OptionalTime
    revision: Generated<number>
    error: string | null
    failing_since: OptionalTime
    failures: Generated<number>
    next_at: Time
    holder: string | null
    held_until: OptionalTime
  }
  /** Databases that questions are answered from (migration 0520). */
  databases: {
    id: Generated<string>
    name: string
    kind: DatabaseKind
    host: string
    port: number | null
    database: string
    role: string
    password_sealed: string | null
    tls: 'verified' | 'unverified' | 'off'
    limit_seconds: number
    limit_rows: number
    tables: Json<DatabaseTable[]>
    created_at: CreatedAt
  }
  key_checks: { only_row: Generated<boolean>; sealed: string }
  setup_steps: { step: SetupStep; outcome: SetupOutcome; decided_at: Time }
}
