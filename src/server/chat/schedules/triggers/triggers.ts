import * as contract from '#shared/chat/schedules/triggers.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy, changed } from '../../../identity/audit/audit.ts'
import { findAllowed } from '../../../platform/access/access.ts'
import { type Caller, type Server, serve } from '../../../platform/http/serve.ts'
import { answerLater } from '../../../platform/http/streaming/answer-later.ts'
import { newWebhookSecret } from '../../../platform/signatures/signatures.ts'
import type { Deps } from '../../../tools/deps.ts'
import { readSlots, toSlot } from '../slot-store.ts'
import { deliver } from './deliver.ts'
import {
  findTarget,
  type ListedRow,
  listDeliveries,
  readDelivery,
  removeOldDeliveries,
} from './delivery-store.ts'
import { MASK } from './masks.ts'
import { receiveCall } from './receive-call.ts'
import { readSecret, replaceSecret, type SecretRow } from './secret-store.ts'
import { answerNow, waitForRun } from './wait-for-run.ts'

/** Serves schedules that start on a signed call, and what was delivered to them. */
export function serveTriggers(server: Server, deps: Deps): void {
  deps.jobs.register('triggers.cleanup', () => removeOldDeliveries(deps.db), { cron: '47 * * * *' })
  serve(server, contract.callTrigger, {
    handle: async ({ params: { triggerId }, query: { wait }, body, request, reply }) => {
      const delivered = await receiveCall(deps, triggerId, request, body)
      if (wait === 0) return answerNow(deps, delivered)
      answerLater(request, reply, async (gone) => {
        const { isOver, answer } = await waitForRun(deps, delivered, wait, gone)
        return { status: isOver ? 200 : 202, answer }
      })
      // The answer follows.
      return undefined as never
    },
  })
  serveSecrets(server, deps)
  serveDeliveries(server, deps)
}

function serveSecrets(server: Server, deps: Deps): void {
  const { db, secrets } = deps
  serve(server, contract.getTriggerSecret, {
    handle: async ({ params: { scheduleId } }) => toSecret(await readSecret(db, scheduleId)),
  })
  serve(server, contract.renewTriggerSecret, {
    handle: async ({ user, params: { scheduleId }, body, request }) => {
      const { name } = await findAllowed(db, user, 'manage schedule', scheduleId)
      const secret = newWebhookSecret()
      const made = await db.transaction().execute(async (trx) => {
        await replaceSecret(trx, scheduleId, secrets.seal(secret), body.keeps_previous)
        const changes = changed('secret', null, 'renewed')
        await auditBy(deps, { user, request })(trx, {
          ...{ did: 'schedule.changed', subject: name, subjectId: scheduleId, changes },
        })
        return readSecret(trx, scheduleId)
      })
      return { ...toSecret(made), secret }
    },
  })
}

function serveDeliveries(server: Server, deps: Deps): void {
  const { db } = deps
  const find = async (user: Caller, scheduleId: string, id: string) => {
    const row = await readDelivery(db, user, scheduleId, id)
    if (!row) throw new AppError('not_found', 'Delivery not found')
    return row
  }
  const shown = async (user: Caller, scheduleId: string, id: string) =>
    (await withRuns(deps, user, [await find(user, scheduleId, id)]))[0]!
  serve(server, contract.listDeliveries, {
    handle: async ({ user, params: { scheduleId }, query: { outcome, page, limit } }) => {
      const skip = (page - 1) * limit
      const { rows, started, refused } = await listDeliveries(db, user, { scheduleId, outcome, skip, limit })
      const total = { all: started + refused, started, refused }[outcome]
      return { items: await withRuns(deps, user, rows), total, started, refused }
    },
  })
  serve(server, contract.getDelivery, {
    handle: async ({ user, params: { scheduleId, triggerDeliveryId: deliveryId } }) => {
      const { headers, body, field_values, ...row } = await find(user, scheduleId, deliveryId)
      const [delivery] = await withRuns(deps, user, [row])
      const sent = body === null ? {} : (JSON.parse(body) as Record<string, unknown>)
      const { fields = [] } = (await findTarget(db, scheduleId)) ?? {}
      const known = new Set([...Object.keys(field_values), ...fields.map(({ name }) => name)])
      const ignored = Object.keys(sent).filter((name) => !known.has(name))
      return { ...delivery!, headers, body, ignored }
    },
  })
  serve(server, contract.testTrigger, {
    handle: async ({ user, params: { scheduleId }, body: { client_id, data } }) => {
      const event = { kind: 'test' as const, foreign_id: client_id, headers: {}, signed_by: null }
      const { id } = await deliver(deps, scheduleId, { ...event, replay_of: null, data })
      return shown(user, scheduleId, id)
    },
  })
  serve(server, contract.replayDelivery, {
    handle: async ({ user, params: { scheduleId, triggerDeliveryId: deliveryId }, body: { client_id } }) => {
      const { status, headers, body, field_values } = await find(user, scheduleId, deliveryId)
      if (status !== 202 || body === null)
        throw new AppError('conflict', 'Only a delivery that started a run can be replayed.')
      const event = { kind: 'replay' as const, foreign_id: client_id, headers, body, signed_by: null }
      const data = { ...withoutMasked(body), ...field_values }
      const { id } = await deliver(deps, scheduleId, { ...event, replay_of: deliveryId, data })
      return shown(user, scheduleId, id)
    },
  })
}

/** Returns the values of a stored body that are no masks. */
function withoutMasked(body: string): contract.CallData {
  const values = Object.entries(JSON.parse(body) as Record<string, unknown>)
  return Object.fromEntries(values.filter(([, value]) => value !== MASK))
}

/** Returns deliveries with the runs they started. */
async function withRuns({ db }: Deps, user: Caller, rows: ListedRow[]): Promise<contract.Delivery[]> {
  const slots = await readSlots(
    db,
    user,
    rows.flatMap(({ slot_id }) => slot_id ?? []),
  )
  return rows.map(({ id, kind, foreign_id, received_at, status, detail, repeats, ...row }) => {
    const slot = row.slot_id === null ? undefined : slots.get(row.slot_id)
    return {
      ...{ id, kind, foreign_id, status, detail, repeats, signed_by: row.signed_by },
      ...{ replay_of: row.replay_of, about: row.about, received_at: received_at.toISOString() },
      run: slot ? toSlot(slot) : null,
    }
  })
}

function toSecret(row: SecretRow | null): contract.TriggerSecret {
  return {
    created_at: row?.created_at.toISOString() ?? null,
    previous_until: row?.previous_until?.toISOString() ?? null,
  }
}
