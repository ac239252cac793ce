import { AppError } from '#shared/platform/errors.ts'
import { createThread } from '../../../platform/outbound/foreign/thread.ts'
import { codeUrl } from '../../../platform/process/checkout.ts'
import type { ToCheck } from './checked.ts'

export type { AllowedTable } from './checked.ts'

const thread = createThread<ToCheck, string>(codeUrl('src/server/tools/databases/checking/check-thread.ts'), {
  seconds: 5,
  tooMuch: () =>
    new AppError(
      'invalid',
      'The query was refused before it reached the database: it is too complex to check.',
    ),
})

/**
 * Checks that a query is one SELECT which reads allowed tables and columns with allowed functions. Returns the text to send, which is
 * written from the parsed query. @throws AppError `invalid` with a reason that a model can act on
 */
export function checkQuery(query: ToCheck): Promise<string> {
  return thread.run(query)
}
