import * as contract from '#shared/lifecycle/notifications/notification-mails.ts'
import { requestLanguage } from '../../../identity/accounts/accounts.ts'
import { addRoute } from '../../../platform/http/add-route.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { stopMails } from '../settings-store.ts'
import { notificationTexts } from '../texts.ts'
import { invalidLink, openUnsubscription } from './notification-token.ts'
import { SEND, sendNotifications } from './send-notifications.ts'

/** Sends notifications outside of the product, and serves unsubscription. */
export function serveNotificationMails(server: Server, platform: Platform): void {
  const { db, jobs, secrets } = platform
  // A slow mail server must not delay other jobs.
  jobs.register(SEND, (_, signal) => sendNotifications(platform, signal), { places: 1 })
  jobs.register('notifications.due', () => jobs.add(SEND, {}, { key: SEND, queue: SEND }), {
    cron: '* * * * *',
  })
  serve(server, contract.unsubscribeNotifications, {
    handle: async ({ query: { token }, request }) => {
      const { userId, kind } = openUnsubscription(secrets, token)
      if (!(await stopMails(db, userId, kind))) throw invalidLink()
      return { message: notificationTexts(requestLanguage(request)).mail.unsubscribed }
    },
  })
  if (!server.servesWeb) return
  server.routes.push(contract.openNotificationsUnsubscribePage)
  addRoute(server, {
    ...{ method: 'GET', url: contract.openNotificationsUnsubscribePage.path, body: null },
    handle: async (request, reply) => {
      const { searchParams } = new URL(request.url, platform.publicUrl())
      const token = encodeURIComponent(searchParams.get('token') ?? '')
      return reply.header('cache-control', 'no-store').redirect(`/login/stop-mails?token=${token}`)
    },
  })
}
