import type { Database } from '../../platform/db/db.ts'

/** Returns the positions of an execution's prospects that the CRM accepted. */
export async function importedOf(db: Database, executionId: string): Promise<Set<number>> {
  const rows = await db
    .selectFrom('prospect_imports')
    .select('place')
    .where('execution_id', '=', executionId)
    .limit(10_000)
    .execute()
  return new Set(rows.map(({ place }) => place))
}

export async function noteImported(db: Database, execution_id: string, place: number): Promise<void> {
  await db
    .insertInto('prospect_imports')
    .values({ execution_id, place })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
