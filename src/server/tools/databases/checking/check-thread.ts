import { serveThread } from '../../../platform/outbound/foreign/serve-thread.ts'
import { checkOther } from './check-other.ts'
import { checkPostgres } from './check-postgres.ts'
import type { ToCheck } from './checked.ts'

/** Checks queries away from the thread that serves requests: a parser may take long for a hostile text. */
serveThread((query: ToCheck) => {
  const { kind } = query
  return kind === 'postgres' ? checkPostgres(query) : checkOther({ ...query, kind })
})
