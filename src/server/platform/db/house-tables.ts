import type { Generated } from 'kysely'
import type { SetupOutcome, SetupStep } from '#shared/lifecycle/setup/setup.ts'
import type { Time } from './columns.ts'

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
  key_checks: { only_row: Generated<boolean>; sealed: string }
  setup_steps: { step: SetupStep; outcome: SetupOutcome; decided_at: Time }
}
