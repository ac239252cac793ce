import { getTranslations } from '#shared/platform/translations.ts'
import { checkout } from '../../process/checkout.ts'
import { type Server, serve } from '../serve.ts'
import { readTexts } from './read-texts.ts'

/** Serves the interface's texts by namespace. An unknown namespace is empty. */
export function serveTranslations(server: Server): void {
  serve(server, getTranslations, {
    handle: async ({ params, reply }) => {
      reply.header('cache-control', 'no-cache')
      return readTexts(checkout, params.lng, params.ns)
    },
  })
}
