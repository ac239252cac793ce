import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from './tables.ts'

/** @throws AppError `invalid` when the database has no time zone of this name */
export async function assertTimeZone(db: Kysely<Tables>, name: string): Promise<void> {
  try {
    await sql`select now() at time zone ${name}`.execute(db)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '22023')
      throw new AppError('invalid', 'time_zone: this name is not known.')
    throw error
  }
}
