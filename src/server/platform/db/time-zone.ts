import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from './tables.ts'

/** @throws AppError `invalid` if the database does not know the time zone */
export async function assertTimeZone(db: Kysely<Tables>, name: string): Promise<void> {
  try {
    await sql`select now() at time zone ${name}`.execute(db)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '22023')
      throw new AppError('invalid', 'time_zone: unknown time zone.')
    throw error
  }
}
