import { getDescription } from '#shared/platform/self-description.ts'
import type { Platform } from '../../platform.ts'
import { type Encoded, encode, encodingFor } from '../accepted-encoding.ts'
import { type Server, serve } from '../serve.ts'
import { describeRoutes } from './openapi.ts'

export { answeredStatus } from './failures.ts'

/**
 * Serves the API's description of itself. Anybody may ask for this 1 MB, so it is written and compressed only once; doing it for
 * each request let 12 connections stop everybody else.
 */
export function serveSelfDescription(server: Server, deps: Pick<Platform, 'publicUrl'>): void {
  let written: Promise<Encoded> | null = null
  serve(server, getDescription, {
    handle: async ({ request, reply }) => {
      written ??= write(server, deps.publicUrl())
      const forms = await written
      const encoding = encodingFor(request.headers['accept-encoding'])
      reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8')
      if (encoding !== 'plain') reply.header('content-encoding', encoding)
      // The bytes of the record that the contract describes.
      return forms[encoding] as unknown as Record<string, unknown>
    },
  })
}

async function write({ routes }: Server, publicUrl: string): Promise<Encoded> {
  return encode(Buffer.from(JSON.stringify(await describeRoutes(routes, publicUrl))))
}
