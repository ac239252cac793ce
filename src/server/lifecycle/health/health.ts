import { setTimeout as sleep } from 'node:timers/promises'
import { getHealth } from '#shared/lifecycle/health/health.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { assertReaches, type Server, serve } from '../../platform/http/serve.ts'
import { createPartsCheck } from './check-parts.ts'

/** Timeout of the database check, in milliseconds. */
const ANSWER_MS = 3_000

/** Serves the health of this process to everyone, and that of each part of the installation to super admins. */
export function serveHealth(server: Server, deps: ModelDeps): void {
  const checkParts = createPartsCheck(deps)
  // Concurrent callers share one query.
  let counting: Promise<number> | undefined
  const countWorkers = () => {
    counting ??= deps.instance.countWorkers().finally(() => {
      counting = undefined
    })
    return counting
  }
  serve(server, getHealth, {
    handle: async ({ query, principal }) => {
      if (query.details !== undefined) assertReaches(principal, { access: 'super_admin' })
      const workers = await Promise.race([countWorkers(), silence()])
      const health = { status: 'ok' as const, workers }
      if (query.details === undefined) return health
      const { parts, at } = await checkParts({ again: query.again !== undefined })
      const code = deps.sandbox.readiness() ?? []
      const details = { code, parts, checked_at: at.toISOString(), works_here: deps.config.works }
      return { ...health, details }
    },
  })
}

/** Rejects after the timeout: a suspended or unreachable database does not refuse, it stays silent. */
async function silence(): Promise<never> {
  await sleep(ANSWER_MS, undefined, { ref: false })
  throw new AppError('unavailable', 'The database does not answer right now. Try again in a moment.', {
    retryAfterSeconds: 2,
  })
}
