import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { getDescription } from '#shared/platform/self-description.ts'
import type { Platform } from '../../platform.ts'
import { type Server, serve } from '../serve.ts'
import { describeRoutes } from './openapi.ts'

export { answeredStatus } from './failures.ts'

type Written = { plain: Buffer; br: Buffer; gzip: Buffer }

/**
 * Serves the API's description of itself. Anybody may ask for this 1 MB, so it is written and compressed only once; doing it for
 * each request let 12 connections stop everybody else.
 */
export function serveSelfDescription(server: Server, deps: Pick<Platform, 'publicUrl'>): void {
  let written: Promise<Written> | null = null
  serve(server, getDescription, {
    handle: async ({ request, reply }) => {
      written ??= write(describeRoutes(server.routes, deps.publicUrl()))
      const forms = await written
      const encoding = encodingFor(request.headers['accept-encoding'])
      reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8')
      if (encoding !== 'plain') reply.header('content-encoding', encoding)
      // The bytes of the record that the contract describes.
      return forms[encoding] as unknown as Record<string, unknown>
    },
  })
}

async function write(description: unknown): Promise<Written> {
  const plain = Buffer.from(JSON.stringify(description))
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain)])
  return { plain, br, gzip: gzipped }
}

/** Returns the best encoding a client accepts. */
function encodingFor(accepted: string | string[] = ''): 'br' | 'gzip' | 'plain' {
  const names = String(accepted)
    .slice(0, 500)
    .split(',')
    .flatMap((one) => {
      const [name = '', ...weights] = one.split(';').map((part) => part.trim().toLowerCase())
      return weights.some((weight) => /^q=0(\.0*)?$/.test(weight)) ? [] : [name]
    })
  if (names.includes('br')) return 'br'
  return names.includes('gzip') ? 'gzip' : 'plain'
}
