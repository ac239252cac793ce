import { sql } from 'kysely'
import { getDescription, getHealth } from '#shared/self-description.ts'
import type { Deps } from '../deps.ts'
import { describeRoutes } from './openapi.ts'
import { type Server, serve } from './serve.ts'

/** What the API says about itself: whether it can serve, and what it is made of. */
export function serveSelfDescription(server: Server, deps: Pick<Deps, 'db' | 'publicUrl'>): void {
  serve(server, getHealth, {
    handle: async () => {
      await sql`select 1`.execute(deps.db)
      return { status: 'ok' as const }
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
