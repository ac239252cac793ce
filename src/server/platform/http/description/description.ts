import { getDescription } from '#shared/platform/self-description.ts'
import type { Platform } from '../../platform.ts'
import { type Server, serve } from '../serve.ts'
import { describeRoutes } from './openapi.ts'

export { answeredStatus } from './failures.ts'

/** What the API says it is made of. */
export function serveSelfDescription(server: Server, deps: Pick<Platform, 'publicUrl'>): void {
  let description: Record<string, unknown> | null = null
  serve(server, getDescription, {
    handle: async () => {
      description ??= describeRoutes(server.routes, deps.publicUrl())
      return description
    },
  })
}
