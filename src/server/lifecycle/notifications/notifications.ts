import type { User } from '#shared/identity/accounts/accounts.ts'
import * as contract from '#shared/lifecycle/notifications/notifications.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Person } from '../../platform/access/access.ts'
import { readTimeZone } from '../../platform/http/request-time-zone.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import { serveAnswering } from './answering/answering.ts'
import { countUnread, findPage, markRead, removeOld } from './notification-store.ts'
import { noteAbsence, notePresence, removeOldPresence } from './presence-store.ts'
import { servePush } from './push/push.ts'
import { serveNotificationMails } from './sending/sending.ts'
import { changeSettings, findSettings } from './settings-store.ts'

const DAY_MS = 86_400_000

/**
 * Serves notifications. Triggers write them, with their deliveries, in the transaction of the event
 * (migrations/0370_notifications.sql).
 */
export function serveNotifications(server: Server, platform: RunDeps): void {
  const { db, clock, jobs } = platform
  const cleanUp = async () => {
    await removeOld(db, new Date(clock.now().getTime() - contract.NOTIFICATION_DAYS * DAY_MS))
    await removeOldPresence(db, clock.now())
  }
  jobs.register('notifications.cleanup', cleanUp, { cron: '41 * * * *' })
  serveNotificationMails(server, platform)
  servePush(server, platform)
  serveAnswering(server, platform)
  serveList(server, platform)
  serveSettings(server, platform)
  serve(server, contract.reportPresence, {
    handle: async ({ user, body: { browser_id, is_present } }) => {
      if (is_present) await notePresence(db, user.id, browser_id, clock.now())
      else await noteAbsence(db, user.id, browser_id)
    },
  })
}

function serveList(server: Server, { db, clock }: Platform): void {
  serve(server, contract.listNotifications, {
    handle: async ({ user, query: { page, limit } }) => {
      const now = clock.now()
      const skip = (page - 1) * limit
      const wish = { skip, limit: limit + 1, now, french: user.language === 'fr' }
      const found = await findPage(db, user, wish)
      return {
        items: found.slice(0, limit),
        unread: await countUnread(db, user, now),
        has_more: found.length > limit,
      }
    },
  })
  serve(server, contract.readNotifications, {
    handle: async ({ user, body }) => {
      await markRead(db, user.id, body)
      return { unread: await countUnread(db, user, clock.now()) }
    },
  })
}

function serveSettings(server: Server, { db, mail }: Platform): void {
  const read = async (user: Person & Pick<User, 'id'>) => ({
    ...(await findSettings(db, user.id)),
    can_mail: (await mail.host()) !== null,
  })
  serve(server, contract.getNotificationSettings, { handle: ({ user }) => read(user) })
  serve(server, contract.changeNotificationSettings, {
    handle: async ({ user, body }) => {
      if (body.time_zone !== undefined && readTimeZone(body.time_zone) === null)
        throw new AppError('invalid', 'time_zone: unknown time zone.')
      await db.transaction().execute((trx) => changeSettings(trx, user.id, body))
      return read(user)
    },
  })
}
