import * as contract from '#shared/lifecycle/notifications/push.ts'
import { AppError } from '#shared/platform/errors.ts'
import { readUserAgent } from '../../../identity/accounts/accounts.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import { assertFetchable } from '../../../platform/outbound/outbound.ts'
import type { Platform } from '../../../platform/platform.ts'
import { notificationTexts } from '../texts.ts'
import { createPoster } from './post-push.ts'
import { readPublicKey } from './push-keys.ts'
import {
  findBrowsers,
  findSubscriptions,
  putSubscription,
  removeSubscription,
  type SubscribedBrowser,
} from './push-store.ts'
import { SEND_PUSHES, sendPushes } from './send-pushes.ts'

/** Notification channel for due pushes (migrations/0420_web_push.sql). */
const channel = 'atrium_push'

/** Serves the browsers that show notifications, and sends to them. */
export function servePush(server: Server, platform: Platform): void {
  const { db, config } = platform
  sendWhatIsDue(platform)
  serve(server, contract.getPush, {
    handle: async ({ user }) => ({
      public_key: await readPublicKey(platform),
      browsers: (await findBrowsers(db, user.id)).map((row) => show(row, user.tokenHash)),
    }),
  })
  serve(server, contract.putPush, {
    handle: async ({ user, body: { endpoint, keys } }) => {
      await assertFetchable(endpoint, config.ATRIUM_TOOLS_PRIVATE)
      const id = await db.transaction().execute((trx) => putSubscription(trx, user, { endpoint, ...keys }))
      const row = (await findBrowsers(db, user.id)).find((browser) => browser.id === id)
      if (!row) throw new AppError('conflict', 'This sign-in has ended.')
      return show(row, user.tokenHash)
    },
  })
  serve(server, contract.deletePush, {
    handle: async ({ user, query: { id } }) => removeSubscription(db, user.id, id),
  })
  serve(server, contract.tryPush, {
    handle: async ({ user, request }) => {
      const all = await findSubscriptions(db, user.id, platform.clock.now())
      if (all.length === 0) throw new AppError('conflict', 'No browser shows your notifications.')
      const post = await createPoster(platform)
      const { title, body } = notificationTexts(user.language).push.test
      const message = { tag: 'test', title, body, path: '/user/notifications' }
      const outcomes = await Promise.all(all.map((one) => post(one, message, request.signal)))
      const failed = outcomes.find((outcome) => outcome.fate !== 'sent')
      if (failed) throw new AppError(failed.fate === 'gone' ? 'conflict' : 'unavailable', sayFailure(failed))
    },
  })
}

const sayFailure = (outcome: { fate: string; said?: string }) =>
  outcome.fate === 'gone'
    ? 'A browser has withdrawn its permission. Turn its notifications off and on again.'
    : `The push service of a browser did not take the notification: ${outcome.said ?? ''}`

function show(row: SubscribedBrowser, tokenHash: Buffer): contract.PushBrowser {
  const { id, user_agent, token_hash, created_at } = row
  const { browser, system } = readUserAgent(user_agent)
  return { id, browser, system, current: token_hash.equals(tokenHash), created_at: created_at.toISOString() }
}

function sendWhatIsDue(platform: Platform): void {
  const { jobs, instance, log, config } = platform
  // The first start creates the keys. Without them, the first reader does.
  readPublicKey(platform).catch((error) =>
    log.warn({ error }, 'The keys of web push come with their first use.'),
  )
  // A slow push service must not delay other jobs.
  jobs.register(SEND_PUSHES, (_, signal) => sendPushes(platform, signal), { places: 1 })
  const begin = () => jobs.add(SEND_PUSHES, {}, { key: SEND_PUSHES, queue: SEND_PUSHES })
  jobs.register('notifications.pushes_due', begin, { cron: '* * * * *' })
  if (!config.works) return
  instance
    .listen(channel, () => void begin().catch((error) => log.warn({ error }, 'Pushes go within a minute.')))
    .catch((error) => log.warn({ error }, 'Pushes go within a minute.'))
}
