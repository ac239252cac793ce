import { AppError } from '#shared/platform/errors.ts'
import { serveThread } from '../../../platform/outbound/foreign/serve-thread.ts'
import { checkOther } from './check-other.ts'
import { checkPostgres } from './check-postgres.ts'
import { refuse, type ToCheck } from './checked.ts'

/** Checks queries away from the thread that serves requests: a parser may take long for a hostile text. */
serveThread((query: ToCheck) => {
  const { kind } = query
  try {
    return kind === 'postgres' ? checkPostgres(query) : checkOther({ ...query, kind })
  } catch (error) {
    if (error instanceof AppError) throw error
    // A parser or writer that gives up, such as on a chain of thousands of operators.
    return refuse('it is too complex to check.')
  }
})
