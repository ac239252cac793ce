import * as contract from '#shared/identity/announcements/announcement-mails.ts'
import { AppError } from '#shared/platform/errors.ts'
import { addRoute } from '../../../platform/http/add-route.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { notice } from '../../accounts/accounts.ts'
import { findUndelivered, refuseMails } from './mail-store.ts'
import { SEND, sendMails } from './send-mails.ts'
import { invalidLink, openUnsubscription } from './unsubscribe.ts'

export { relist, stopWaiting } from './mail-store.ts'
export { queueMails } from './send-mails.ts'

/** Serves announcements by mail. */
export function serveMailing(server: Server, platform: Platform): void {
  const { db, jobs, secrets } = platform
  // A slow mail server must not delay other jobs.
  jobs.register(SEND, ({ id }, signal) => sendMails(platform, String(id), signal), { places: 1 })
  serve(server, contract.listUndelivered, {
    handle: async ({ params: { announcementId }, query: { page, limit } }) => {
      const skip = (page - 1) * limit
      const { items, total } = await findUndelivered(db, announcementId, { skip, limit })
      return { items, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.unsubscribe, {
    handle: async ({ query: { token }, request }) => {
      if (!(await refuseMails(db, openUnsubscription(secrets, token)))) throw invalidLink()
      return notice(request, 'unsubscribed')
    },
  })
  if (!server.servesWeb) return
  server.routes.push(contract.openUnsubscribePage)
  addRoute(server, {
    ...{ method: 'GET', url: contract.openUnsubscribePage.path, body: null },
    handle: async (request, reply) => {
      const { search } = new URL(request.url, platform.publicUrl())
      return reply.header('cache-control', 'no-store').redirect(`/login/unsubscribe${search}`)
    },
  })
}

/** @throws AppError `invalid` at `by_mail` without a mail server */
export async function assertCanMail({ mail }: Pick<Platform, 'mail'>): Promise<void> {
  if ((await mail.host()) !== null) return
  const message = 'No mail server is set up. A super admin sets it up under First steps.'
  throw new AppError('invalid', message, { errors: [{ path: 'by_mail', message }] })
}
