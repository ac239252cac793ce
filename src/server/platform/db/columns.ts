import type { ColumnType } from 'kysely'

export type CreatedAt = ColumnType<Date, Date | undefined, never>
export type Time = ColumnType<Date, Date | undefined, Date>
export type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>
/** JSON is written as text (`JSON.stringify`) and read parsed. */
export type Json<T> = ColumnType<T, string | undefined, string>
export type OptionalJson = ColumnType<unknown, string | null | undefined, string | null>
/** bigint and numeric are read as numbers: stream ids and cents stay far below 2⁵³. */
export type Num = ColumnType<number, number | undefined, number>
