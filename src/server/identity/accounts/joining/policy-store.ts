import type { SignUpRules } from '#shared/identity/accounts/joining.ts'
import type { Database } from '../../../platform/db/db.ts'

type Rules = Pick<SignUpRules, 'policy' | 'domains' | 'company'>

/** Returns the policy set by a super admin, or null. */
export async function readStoredRules(db: Database): Promise<Rules | null> {
  const row = await db
    .selectFrom('sign_up_policy')
    .select(['policy', 'domains', 'company'])
    .executeTakeFirst()
  return row ?? null
}

export async function storeRules(
  db: Database,
  { policy, domains, company }: Rules,
  now: Date,
): Promise<void> {
  const row = { policy, domains: JSON.stringify(domains), company, updated_at: now }
  await db
    .insertInto('sign_up_policy')
    .values(row)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
    .execute()
}
