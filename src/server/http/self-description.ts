import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#shared/errors.ts'
import { getDescription, getHealth } from '#shared/self-description.ts'
import type { Platform } from '../platform.ts'
import { describeRoutes } from './openapi.ts'
import { assertReaches, type Server, serve } from './serve.ts'

/** How long the database may take to say that it is there, in milliseconds. */
const ANSWER_MS = 3_000

/** What the API says about itself: whether it can serve, and what it is made of. */
export function serveSelfDescription(
  server: Server,
  deps: Pick<Platform, 'instance' | 'publicUrl' | 'sandbox'>,
): void {
  serve(server, getHealth, {
    handle: async ({ query, principal }) => {
      if (query.details !== undefined) assertReaches(principal, { access: 'super_admin' })
      const workers = await Promise.race([deps.instance.countWorkers(), silence()])
      const health = { status: 'ok' as const, workers }
      return query.details === undefined
        ? health
        : { ...health, details: { code: await deps.sandbox.probe() } }
    },
  })
  let description: Record<string, unknown> | null = null
  serve(server, getDescription, {
    handle: async () => {
      description ??= describeRoutes(server.routes, deps.publicUrl())
      return description
    },
  })
}

/** A database that sleeps, or that cannot be heard any more, refuses nothing: it just says nothing. */
async function silence(): Promise<never> {
  await sleep(ANSWER_MS, undefined, { ref: false })
  throw new AppError('unavailable', 'The database does not answer right now. Try again in a moment.', {
    retryAfterSeconds: 2,
  })
}
