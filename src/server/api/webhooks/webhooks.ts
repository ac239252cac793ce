import * as contract from '#shared/api/webhooks/webhooks.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { assertFetchable } from '../../platform/outbound/outbound.ts'
import type { Platform } from '../../platform/platform.ts'
import { newWebhookSecret } from '../../platform/signatures/signatures.ts'
import { DELIVER, deliver, sendSoon } from './deliver.ts'
import { findDeliveries, findDue, insertDelivery, restartDelivery } from './delivery-store.ts'
import {
  changeWebhook,
  findWebhook,
  findWebhooks,
  insertWebhook,
  removeOldDeliveries,
  removeWebhook,
} from './store.ts'

/** Notification channel for due deliveries (migrations/0137_webhooks.sql). */
const channel = 'atrium_webhooks'

/** Serves webhooks. */
export function serveWebhooks(server: Server, deps: Platform): void {
  const { db, clock, secrets, config } = deps
  /** Returns an address as it is fetched, so that it does not show another host than the one that is called. */
  const checkAddress = async (address: string) => {
    const { href } = new URL(address)
    await assertFetchable(href, config.ATRIUM_TOOLS_PRIVATE)
    return href
  }
  sendWhatHappens(deps)
  serve(server, contract.listWebhooks, { handle: ({ user, query }) => findWebhooks(db, user, query) })
  serve(server, contract.createWebhook, {
    handle: async ({ user, body: { company_id, events, ...body }, request }) => {
      if (company_id !== null) await findAllowed(db, user, 'manage company', company_id)
      const url = await checkAddress(body.url)
      const secret = newWebhookSecret()
      const name = cleanCharacters(body.name)
      const user_id = company_id === null ? user.id : null
      const row = { user_id, company_id, name, url, events: [...new Set(events)] }
      const audit = auditBy(deps, { user, request })
      const webhook = await db.transaction().execute(async (trx) => {
        const made = await insertWebhook(trx, { ...row, secret: secrets.seal(secret) })
        const changes = changed('address', null, new URL(url).origin)
        await audit(trx, { did: 'webhook.created', subject: name, subjectId: made.id, changes })
        return made
      })
      return { webhook, secret }
    },
  })
  serve(server, contract.updateWebhook, {
    handle: async ({ user, params: { webhookId }, body, request }) => {
      const { is_on, url: typed, ...rest } = body
      const afresh =
        is_on === undefined ? {} : { is_on, ...(is_on && { failing_since: null, gave_up_at: null }) }
      const name = body.name === undefined ? {} : { name: cleanCharacters(body.name) }
      const before = await findWebhook(db, webhookId)
      if (Object.keys(body).length === 0) return before
      // Turning it on checks the address like that of a new one.
      const checked = typed !== undefined || is_on ? await checkAddress(typed ?? before.url) : before.url
      const url = typed === undefined ? {} : { url: checked }
      return db.transaction().execute(async (trx) => {
        await changeWebhook(trx, webhookId, { ...rest, ...url, ...name, ...afresh })
        const after = await findWebhook(trx, webhookId)
        const changes = [
          ...changed('name', before.name, after.name),
          ...changed('address', new URL(before.url).origin, new URL(after.url).origin),
          ...changed('events', before.events.join(', '), after.events.join(', ')),
          ...changed('on', String(before.is_on), String(after.is_on)),
        ]
        const done = { did: 'webhook.changed' as const, subject: after.name, subjectId: webhookId, changes }
        if (changes.length > 0) await auditBy(deps, { user, request })(trx, done)
        return after
      })
    },
  })
  serve(server, contract.deleteWebhook, {
    handle: async ({ user, params: { webhookId }, request }) => {
      const { name } = await findWebhook(db, webhookId)
      await db.transaction().execute(async (trx) => {
        await removeWebhook(trx, webhookId)
        const done = { did: 'webhook.removed' as const, subject: name, subjectId: webhookId }
        await auditBy(deps, { user, request })(trx, done)
      })
    },
  })
  serve(server, contract.renewWebhookSecret, {
    handle: async ({ user, params: { webhookId }, request }) => {
      const { name, secret: previous_secret } = await findAllowed(db, user, 'manage webhook', webhookId)
      const secret = newWebhookSecret()
      const previous_until = new Date(clock.now().getTime() + contract.PREVIOUS_HOURS * 3_600_000)
      await db.transaction().execute(async (trx) => {
        const change = { secret: secrets.seal(secret), previous_secret, previous_until }
        await changeWebhook(trx, webhookId, change)
        const done = { did: 'webhook.changed' as const, subject: name, subjectId: webhookId }
        await auditBy(deps, { user, request })(trx, { ...done, changes: changed('secret', 'set', 'renewed') })
      })
      return { secret }
    },
  })
  serveDeliveries(server, deps)
}

function serveDeliveries(server: Server, deps: Platform): void {
  const { db, clock } = deps
  serve(server, contract.tryWebhook, {
    handle: async ({ params: { webhookId } }) => {
      const id = await insertDelivery(db, webhookId, 'webhook.tried', {}, clock.now())
      await sendSoon(deps, id)
    },
  })
  serve(server, contract.listWebhookDeliveries, {
    handle: async ({ params, query: { skip, limit } }) => {
      const found = await findDeliveries(db, params.webhookId, { skip, limit: limit + 1 })
      return { items: found.slice(0, limit), has_more: found.length > limit }
    },
  })
  serve(server, contract.sendWebhookAgain, {
    handle: async ({ params: { webhookId, deliveryId } }) => {
      if (!(await restartDelivery(db, webhookId, deliveryId, clock.now())))
        throw new AppError('conflict', 'It is being sent already, or is not kept any more.')
      await sendSoon(deps, deliveryId)
    },
  })
}

function sendWhatHappens(deps: Platform): void {
  const { db, clock, jobs, instance, log, config } = deps
  // Receivers may be slow or unreachable; other users' jobs must not wait for them.
  jobs.register(DELIVER, ({ id }, signal) => deliver(deps, String(id), signal), { places: 4 })
  jobs.register('webhooks.cleanup', () => removeOldDeliveries(db, clock.now()), { cron: '33 * * * *' })
  jobs.register(
    'webhooks.due',
    async () => {
      for (const id of await findDue(db, clock.now())) await sendSoon(deps, id)
    },
    { cron: '* * * * *' },
  )
  if (!config.works) return
  const begin = (id: string) =>
    void sendSoon(deps, id).catch((error) => log.warn({ error }, 'A webhook is told within a minute.'))
  instance
    .listen(channel, begin)
    .catch((error) => log.warn({ error }, 'What webhooks are told comes within a minute.'))
}
