import * as contract from '#shared/lifecycle/outside-access/outside-access.ts'
import { AppError } from '#shared/platform/errors.ts'
import {
  assertMayChange,
  assertWholeAccount,
  lockPerson,
} from '../../identity/administration/administration.ts'
import { actorOf, writeAudit } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { deleteWebhook, findKey, findOutsideAccess, findWebhook, revokeKey } from './store.ts'

/** Serves the list of outside access to administrators, who can end each. */
export function serveOutsideAccess(server: Server, { db, searchDb, clock }: Platform): void {
  serve(server, contract.listOutsideAccess, {
    handle: async ({ principal, query: { kind, q = '', page, limit } }) => {
      const skip = (page - 1) * limit
      const found = await findOutsideAccess(searchDb, principal, { kind, q, skip, limit, now: clock.now() })
      return { ...found, has_more: skip + found.items.length < found.total }
    },
  })
  serve(server, contract.revokeKeyOf, {
    handle: ({ params: { memberKeyId }, user, request }) =>
      db.transaction().execute(async (trx) => {
        const key = await findKey(trx, memberKeyId)
        if (!key) throw noSuch('key')
        await assertMayChange(trx, user, key.user_id)
        await assertWholeAccount(trx, user, key.user_id)
        const { name, company_id: companyId } = await lockPerson(trx, key.user_id)
        if (!(await revokeKey(trx, memberKeyId, clock.now()))) throw noSuch('key')
        await writeAudit(trx, clock.now(), {
          ...{ actor: actorOf(user, request), did: key.kind === 'embed' ? 'embed.revoked' : 'key.revoked' },
          ...{ subject: `${name}: ${key.name}`, subjectId: memberKeyId, companyId },
        })
      }),
  })
  serve(server, contract.removeWebhookOf, {
    handle: ({ params: { memberWebhookId }, user, request }) =>
      db.transaction().execute(async (trx) => {
        const webhook = await findWebhook(trx, memberWebhookId)
        if (!webhook) throw noSuch('webhook')
        if (webhook.user_id) {
          await assertMayChange(trx, user, webhook.user_id)
          await assertWholeAccount(trx, user, webhook.user_id)
        }
        const owner = webhook.user_id ? await lockPerson(trx, webhook.user_id) : null
        if (!(await deleteWebhook(trx, memberWebhookId))) throw noSuch('webhook')
        await writeAudit(trx, clock.now(), {
          ...{ actor: actorOf(user, request), did: 'webhook.removed', subjectId: memberWebhookId },
          subject: owner ? `${owner.name}: ${webhook.name}` : webhook.name,
          companyId: webhook.company_id ?? owner?.company_id ?? null,
        })
      }),
  })
}

const noSuch = (what: 'key' | 'webhook') => new AppError('not_found', `There is no such ${what}.`)
