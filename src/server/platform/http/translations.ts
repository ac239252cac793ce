import { readFile } from 'node:fs/promises'
import { getTranslations } from '#shared/platform/translations.ts'
import { checkout } from '../process/checkout.ts'
import { type Server, serve } from './serve.ts'

const folder = new URL('locales/', checkout)

/** Serves the interface's texts by namespace. An unknown namespace is empty. */
export function serveTranslations(server: Server): void {
  serve(server, getTranslations, {
    handle: async ({ params, reply }) => {
      reply.header('cache-control', 'no-cache')
      const text = await readFile(new URL(`${params.lng}/${params.ns}.json`, folder), 'utf8').catch(
        emptyWhenMissing,
      )
      return JSON.parse(text)
    },
  })
}

function emptyWhenMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '{}'
  throw error
}
