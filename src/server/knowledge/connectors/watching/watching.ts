import * as z from 'zod'
import * as contract from '#shared/knowledge/connectors/notifications.ts'
import { AppError } from '#shared/platform/errors.ts'
import { Id } from '#shared/platform/primitives.ts'
import { countedAddress, takeTurn } from '../../../identity/accounts/accounts.ts'
import { addRoute } from '../../../platform/http/add-route.ts'
import { JSON_TYPE } from '../../../platform/http/bodies/body-rule.ts'
import { parseBody } from '../../../platform/http/bodies/request-body.ts'
import type { Server } from '../../../platform/http/serve.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { findConnector } from '../connector-store.ts'
import type { Judgement, Notification } from '../define-connector.ts'
import { listKnownSources } from '../known-sources.ts'
import { followedSources, followSource } from './follow-source.ts'
import { isReachable, keepWatch, watchedSources } from './keep-watch.ts'
import { bringForward, findWatch, listFollowed, listUnwatched, renewNow } from './watch-store.ts'

export { isReachable } from './keep-watch.ts'

const Payload = z.object({ connectorId: z.string() })
const [watchJob, followJob] = ['watch-source', 'follow-source']
const MAX_BYTES = 64 * 1024
/** Connectors that a process follows concurrently. Others are synced at their interval. */
const MAX_FOLLOWED = 50
/** Time after a request for notifications in which the source may prove the address. */
const PROOF_MS = 60_000

type RequestSync = (trx: RunDeps['db'], connectorId: string, runAt: Date) => Promise<void>

/** Receives notifications of sources, asks for them, and follows sources that report changes on an open connection. */
export function serveWatching(server: Server, deps: RunDeps, requestSync: RequestSync): void {
  const notify = (id: string) => noteChange(deps, id, requestSync)
  registerJobs(deps, notify)
  if (!server.servesWeb) return
  server.routes.push(contract.notifyConnector)
  addRoute(server, {
    ...{ method: 'POST', url: contract.notifyConnector.path },
    body: { types: [JSON_TYPE], maxBytes: MAX_BYTES },
    handle: async (request, reply) => {
      const id = Id.safeParse((request.params as { connectorId?: unknown }).connectorId)
      const { headers } = request
      const query = request.query as Record<string, unknown>
      const judged = id.success
        ? await judge(deps, id.data, { headers, query, body: await parseBody(request) })
        : 'forged'
      if (judged === 'forged') {
        // Sources send from few addresses: a former channel must not block the present ones.
        await takeTurn(deps, 'notification_address', countedAddress(request.ip))
        throw new AppError(
          'wrong_credentials',
          'The notification does not carry the secret of the connector.',
        )
      }
      if (typeof judged === 'object')
        return reply
          .code(200)
          .type('text/plain')
          .header('x-content-type-options', 'nosniff')
          .send(judged.echo)
      if (id.success && judged === 'renew') await renewNow(deps.db, id.data, deps.clock.now())
      if (id.success && judged !== 'nothing') await notify(id.data)
      return reply.code(202).send('')
    },
  })
}

/** Ends the connection to a followed source and renews notifications, because the settings or the state of the connector changed. */
export async function watchAgain({ db, jobs, clock }: RunDeps, connectorId: string): Promise<void> {
  await renewNow(db, connectorId, clock.now())
  // It begins again within a minute, with the settings of that moment.
  await jobs.cancel(keyOf(followJob, connectorId))
}

const keyOf = (name: string, connectorId: string) => `${name} ${connectorId}`

/** Judges a notification by the secret that its source was given. */
async function judge(deps: RunDeps, id: string, notification: Notification): Promise<Judgement> {
  const [row, watch] = [await findConnector(deps.db, id), await findWatch(deps.db, id)]
  const source = listKnownSources().find((one) => one.id === row?.source)
  if (!watch?.secret || !source?.judge) return 'forged'
  const judged = source.judge(notification, deps.secrets.open(watch.secret))
  const isExpected = deps.clock.now().getTime() - watch.tried_at.getTime() < PROOF_MS
  return typeof judged === 'object' && !isExpected ? 'forged' : judged
}

async function noteChange(deps: RunDeps, id: string, requestSync: RequestSync): Promise<void> {
  await deps.jobs.prepare()
  await deps.db.transaction().execute(async (trx) => {
    const next = await bringForward(trx, id, deps.clock.now())
    if (next) await requestSync(trx, id, next)
  })
}

function registerJobs(deps: RunDeps, notify: (id: string) => Promise<void>): void {
  const { jobs, db, clock } = deps
  const add = async (name: string, connectorId: string) => {
    const key = keyOf(name, connectorId)
    if (!(await jobs.has(key))) await jobs.add(name, { connectorId }, { key, maxAttempts: 1 })
  }
  jobs.register(
    watchJob,
    async (payload, signal) => keepWatch(deps, Payload.parse(payload).connectorId, signal),
    {
      places: 4,
    },
  )
  const follow = async (payload: unknown, signal: AbortSignal) => {
    const { connectorId } = Payload.parse(payload)
    await followSource(deps, connectorId, () => notify(connectorId), signal)
  }
  jobs.register(followJob, follow, { places: MAX_FOLLOWED })
  const look = async () => {
    for (const id of await listFollowed(db, followedSources(), clock.now())) await add(followJob, id)
    if (!isReachable(deps)) return
    for (const id of await listUnwatched(db, watchedSources(), clock.now())) await add(watchJob, id)
  }
  jobs.register('look-for-watches', look, { cron: '* * * * *' })
}
