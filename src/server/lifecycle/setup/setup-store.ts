import type { SetupOutcome, SetupProgress, SetupStep } from '#shared/lifecycle/setup/setup.ts'
import type { Database } from '../../platform/db/db.ts'
import type { MailServer } from '../../platform/mail/mail.ts'

/** Returns the state of each setup step. */
export async function readProgress(db: Database): Promise<SetupProgress> {
  const rows = await db
    .selectFrom('setup_steps')
    .select(['step', 'outcome'])
    .orderBy('step')
    .limit(10)
    .execute()
  const decided = Object.fromEntries(rows.map(({ step, outcome }) => [step, outcome]))
  return { model: null, mail: null, address: null, sign_up: null, ...decided }
}

/** Stores the result of a step. A completed step is no longer postponed. */
export async function noteStep(
  db: Database,
  step: SetupStep,
  outcome: SetupOutcome,
  now: Date,
): Promise<void> {
  const insert = db.insertInto('setup_steps').values({ step, outcome, decided_at: now })
  await insert
    .onConflict((conflict) =>
      outcome === 'done'
        ? conflict.column('step').doUpdateSet({ outcome, decided_at: now })
        : conflict.doNothing(),
    )
    .execute()
}

type Kept = Omit<MailServer, 'password'> & { password_sealed: string | null }

export async function findMailSettings(db: Database): Promise<Kept | null> {
  const columns = ['host', 'port', 'security', 'username', 'password_sealed', 'sender'] as const
  return (await db.selectFrom('mail_settings').select(columns).executeTakeFirst()) ?? null
}

export async function putMailSettings(db: Database, kept: Kept, now: Date): Promise<void> {
  const row = { ...kept, updated_at: now }
  await db
    .insertInto('mail_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
    .execute()
}

/** Deletes the mail settings. Returns whether there were any. */
export async function dropMailSettings(db: Database): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('mail_settings').executeTakeFirst()
  return numDeletedRows > 0n
}
