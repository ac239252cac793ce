import * as contract from '#shared/identity/audit-stream/audit-stream.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { newWebhookSecret } from '../../platform/signatures/signatures.ts'
import { auditBy, changed } from '../audit/audit.ts'
import { checkReceiver } from './receiver.ts'
import { sendTest } from './send-batch.ts'
import { sendEntries } from './send-entries.ts'
import { changeStream, deleteStream, findState, findStream, insertStream, type StreamRow } from './store.ts'

/** Notification channel for new entries (migrations/0510_audit_stream.sql). */
const CHANNEL = 'atrium_audit_stream'
const SEND = 'audit-stream.send'

/** Serves the settings of the audit stream, and sends it. */
export function serveAuditStream(server: Server, deps: Platform): void {
  const { db, clock, secrets } = deps
  sendNewEntries(deps)
  serve(server, contract.getAuditStream, { handle: async () => ({ stream: await findState(db) }) })
  serve(server, contract.setAuditStream, {
    handle: async ({ user, body, request }) => {
      const address = await checkReceiver(body.address, deps.config.ATRIUM_TOOLS_PRIVATE)
      const audit = auditBy(deps, { user, request })
      const now = clock.now()
      const key = newWebhookSecret()
      const isNew = await db.transaction().execute(async (trx) => {
        const row = { ...body, address, secret: secrets.seal(key), now }
        if (await insertStream(trx, row)) {
          await audit(trx, { did: 'audit_stream.connected', subject: nameOf(address) })
          return true
        }
        const before = await getStream(trx)
        const moved = changed('address', nameOf(before.address), nameOf(address))
        const changes = [
          ...moved,
          ...(moved.length === 0 && before.address !== address ? changed('path', 'set', 'replaced') : []),
          ...changed('on', String(before.is_on), String(body.is_on)),
        ]
        if (changes.length === 0) return false
        await changeStream(trx, { address, is_on: body.is_on }, now)
        await audit(trx, { did: 'audit_stream.changed', subject: nameOf(address), changes })
        return false
      })
      await sendSoon(deps)
      const stream = await findState(db)
      if (!stream) throw missing()
      return { stream, secret: isNew ? key : null }
    },
  })
  serveSecretAndTest(server, deps)
  serve(server, contract.removeAuditStream, {
    handle: async ({ user, request }) => {
      await db.transaction().execute(async (trx) => {
        const { address } = await getStream(trx)
        await deleteStream(trx)
        const done = { did: 'audit_stream.disconnected' as const, subject: nameOf(address) }
        await auditBy(deps, { user, request })(trx, done)
      })
    },
  })
}

function serveSecretAndTest(server: Server, deps: Platform): void {
  const { db, clock, secrets } = deps
  serve(server, contract.renewAuditSecret, {
    handle: async ({ user, request }) => {
      const secret = newWebhookSecret()
      const now = clock.now()
      const previous_until = new Date(now.getTime() + contract.PREVIOUS_SECRET_HOURS * 3_600_000)
      await db.transaction().execute(async (trx) => {
        const { address, secret: previous_secret } = await getStream(trx)
        const change = { secret: secrets.seal(secret), previous_secret, previous_until }
        await changeStream(trx, change, now)
        const changes = changed('secret', 'set', 'renewed')
        const done = { did: 'audit_stream.changed' as const, subject: nameOf(address), changes }
        await auditBy(deps, { user, request })(trx, done)
      })
      return { secret }
    },
  })
  serve(server, contract.tryAuditStream, {
    handle: async () => {
      const failure = await sendTest(deps, await getStream(db), new AbortController().signal)
      return { error: failure?.error ?? null }
    },
  })
}

/** @throws AppError `not_found` */
async function getStream(db: Parameters<typeof findStream>[0]): Promise<StreamRow> {
  const found = await findStream(db)
  if (!found) throw missing()
  return found
}

const missing = () => new AppError('not_found', 'The audit log is not sent anywhere.')

/** Returns the address without path, which may contain a key. */
function nameOf(address: string): string {
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}

/** Schedules sending; repeated calls share one job. */
async function sendSoon({ jobs }: Pick<Platform, 'jobs'>, runAt?: Date): Promise<void> {
  await jobs.add(SEND, {}, { key: SEND, maxAttempts: 3, ...(runAt && { runAt }) })
}

function sendNewEntries(deps: Platform): void {
  const { jobs, instance, log, config } = deps
  const send = async (_payload: unknown, signal: AbortSignal) => {
    const next = await sendEntries(deps, signal)
    if (next) await sendSoon(deps, next)
  }
  jobs.register(SEND, send, { cron: '* * * * *', places: 1 })
  if (!config.works) return
  const warn = (error: unknown) => log.warn({ error }, 'New audit entries are sent within a minute.')
  instance.listen(CHANNEL, () => void sendSoon(deps).catch(warn)).catch(warn)
}
