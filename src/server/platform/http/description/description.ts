import { getDescription } from '#shared/platform/self-description.ts'
import type { Platform } from '../../platform.ts'
import { type Server, serve } from '../serve.ts'
import { describeRoutes } from './openapi.ts'

export { answeredStatus } from './failures.ts'

/** Serves the API's description of itself. */
export function serveSelfDescription(server: Server, deps: Pick<Platform, 'publicUrl'>): void {
  let description: Record<string, unknown> | null = null
  serve(server, getDescription, {
    handle: async () => {
      description ??= describeRoutes(server.routes, deps.publicUrl())
      return description
    },
  })
}
