export { type Address, type Connection, connect, type Database } from './connect.ts'
export { cleanCharacters, toJson } from './json.ts'
export { listMigrations, MigrationError, migrate, refuseHalfRestored } from './migrate.ts'
export { planEach, planOnce } from './plan-once.ts'
export { borrowPostgres, PostgresError, startPostgres } from './postgres/postgres.ts'
export { assertTimeZone } from './time-zone.ts'
export { makeTrigramIndexes } from './trigram-indexes.ts'
export {
  explainRefusal,
  isDiskFull,
  isHeld,
  isRolledBack,
  isUnreachable,
  isUnstorableText,
  readFullCompany,
  readLastAdministrator,
} from './trouble.ts'
export { withinBytes } from './within-bytes.ts'
