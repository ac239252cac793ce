import type { ColumnType, Generated } from 'kysely'

export type CreatedAt = ColumnType<Date, Date | undefined, never>
export type Time = ColumnType<Date, Date | undefined, Date>
export type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>
/** JSON is written as text (`JSON.stringify`) and read parsed. */
export type Json<T> = ColumnType<T, string | undefined, string>
export type OptionalJson = ColumnType<unknown, string | null | undefined, string | null>
/** bigint and numeric are read as numbers: stream ids and cents stay far below 2⁵³. */
export type Num = ColumnType<number, number | undefined, number>

/** Recipient of a share: exactly one of a company, a group, a person and everybody. */
export type ShareColumns = {
  id: Generated<string>
  company_id: Generated<string | null>
  group_id: Generated<string | null>
  person_id: Generated<string | null>
  /** Company the person must still belong to; null when a super admin shared it. */
  within: Generated<string | null>
  everybody: Generated<boolean>
  shared_by: Generated<string | null>
  created_at: CreatedAt
}
