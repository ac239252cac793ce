import * as z from 'zod'
import * as items from '#shared/knowledge/connectors/connector-items.ts'
import * as contract from '#shared/knowledge/connectors/connectors.ts'
import * as sources from '#shared/knowledge/connectors/sources.ts'
import { AppError } from '#shared/platform/errors.ts'
import { auditBy, changed } from '../../identity/audit/audit.ts'
import { administeredBy, findAllowed } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import {
  type ConnectorRow,
  findConnector,
  isOwnerInCompany,
  listCounted,
  listDue,
  lockConnector,
  makeDue,
  pauseConnector,
  readCounted,
  updateConnector,
} from './connector-store.ts'
import { countItems } from './count-items.ts'
import { listDiffering, listFinished, readItem, retryItem } from './differing-store.ts'
import { addConnector, assertMayConnect, editConnector, tryWith } from './edit-connector.ts'
import { runSync } from './engine/run-sync.ts'
import { listKnownSources, listOffered, missingSettings, sourceOf } from './known-sources.ts'
import { answerMissing, undoMissing } from './removal-store.ts'
import { endConnector, purgeRemoved, remindOfMissing } from './removing.ts'
import { showConnector, showItem, showSource } from './show-connector.ts'
import { serveSignIn } from './sign-in/serve-sign-in.ts'
import { isReachable, serveWatching, watchAgain } from './watching/watching.ts'

export {
  type ConnectorSource,
  type OpenedSource,
  type PickWay,
  SignedOut,
  type SourceAccount,
  type SourceSignIn,
} from './define-connector.ts'
export { splitSettings } from './edit-connector.ts'
export { explaining } from './explaining.ts'
export { handOverConnectors } from './handing-over/hand-over-connectors.ts'
export { addSources, listKnownSources } from './known-sources.ts'
export { trustedOf } from './sign-in/open-account.ts'
export { type Arrival, onReturn } from './sign-in/serve-sign-in.ts'
export { type Element, elementsOf, parseElements, textOf } from './source-requests.ts'

const jobName = 'sync-connector'
const Payload = z.object({ connectorId: z.string() })
/** Syncs that a process works on concurrently. */
const MAX_SYNCS = 8
const keyOf = (id: string) => `connector ${id}`

/** Serves connectors, and registers the jobs that read their sources. */
export function serveConnectors(server: Server, deps: RunDeps): void {
  registerJobs(deps)
  serveSources(server, deps)
  serveReading(server, deps)
  serveEditing(server, deps)
  serveSyncing(server, deps)
  serveRemovals(server, deps)
  serveSignIn(server, deps, (trx, id) => requestSync(deps, id, { within: trx }))
  serveWatching(server, deps, (trx, id, runAt) => requestSync(deps, id, { within: trx, runAt }))
}

function registerJobs(deps: RunDeps): void {
  const { db, jobs, clock } = deps
  const work = async (payload: unknown, signal: AbortSignal) => {
    const { connectorId } = Payload.parse(payload)
    await endConnector(deps, connectorId, signal)
    // Others come first before a long sync continues.
    const runAt = await runSync(deps, connectorId, signal)
    if (runAt) await requestSync(deps, connectorId, { runAt })
  }
  jobs.register(jobName, work, { places: MAX_SYNCS })
  const look = async () => {
    for (const id of await listDue(db, clock.now()))
      if (!(await jobs.has(keyOf(id)))) await requestSync(deps, id)
  }
  jobs.register('look-for-syncs', look, { cron: '* * * * *' })
  jobs.register('remind-of-missing-items', () => remindOfMissing(deps), { cron: '19 * * * *' })
  jobs.register('purge-removed-items', (_, signal) => purgeRemoved(deps, signal), { cron: '23 * * * *' })
}

/** Adds the job of a connector. Jobs of one connector run one after the other. */
async function requestSync(
  { jobs }: Pick<RunDeps, 'jobs'>,
  id: string,
  when: { within?: RunDeps['db']; runAt?: Date } = {},
): Promise<void> {
  await jobs.add(jobName, { connectorId: id }, { key: keyOf(id), queue: keyOf(id), ...when })
}

function serveSources(server: Server, deps: RunDeps): void {
  serve(server, sources.listSources, {
    handle: async ({ user }) => {
      const offered = listOffered(deps.config)
      const isClosed = (await deps.grants.closedTo(user.id)).has('feature', 'connectors')
      return {
        items: offered.map(showSource),
        can_add_personal: !isClosed && offered.some(({ personal }) => personal),
        not_set_up: administeredBy(user).length > 0 ? listNotSetUp(deps) : [],
      }
    },
  })
  serve(server, sources.trySource, {
    handle: async ({ user, body }) => {
      await assertMayConnect(deps, user, body)
      try {
        await tryWith(deps, user, body, (source) => source.check())
        return { ok: true, error: null }
      } catch (error) {
        const isExpected = error instanceof AppError && !['forbidden', 'not_found'].includes(error.code)
        if (!isExpected) throw error
        return { ok: false, error: error.detail }
      }
    },
  })
  serve(server, sources.browseSource, {
    handle: ({ user, body }) =>
      tryWith(
        deps,
        user,
        body,
        async (source) => (await source.folders?.(body.path)) ?? { items: [], has_more: false },
      ),
  })
  serve(server, sources.countSource, {
    handle: ({ user, body }) =>
      tryWith(deps, user, body, (source) => countItems(deps, source, body.selection)),
  })
}

function listNotSetUp({ config }: RunDeps): { id: string; settings: string[] }[] {
  return listKnownSources()
    .map((source) => ({ id: source.id, settings: missingSettings(source, config) }))
    .filter(({ settings }) => settings.length > 0)
}

function serveReading(server: Server, deps: RunDeps): void {
  const { db } = deps
  serve(server, contract.listConnectors, {
    handle: async ({ principal, query }) => {
      const { rows, total } = await listCounted(db, principal, query)
      return { items: rows.map((row) => showConnector(row, isReachable(deps))), total }
    },
  })
  serve(server, contract.getConnector, { handle: ({ params }) => show(deps, params.connectorId) })
  serve(server, items.listConnectorItems, {
    handle: async ({ params, query }) => {
      const { rows, total } = await listDiffering(db, params.connectorId, query)
      return { items: rows.map(showItem), total }
    },
  })
  serve(server, items.listSyncs, {
    handle: async ({ params, query }) => ({ items: await listFinished(db, params.connectorId, query) }),
  })
}

function serveEditing(server: Server, deps: RunDeps): void {
  const { db, jobs } = deps
  serve(server, contract.createConnector, {
    handle: async ({ user, body, request }) => {
      await jobs.prepare()
      const id = await addConnector(deps, user, body, async (trx, made) => {
        if (body.start) await requestSync(deps, made, { within: trx })
        const entry = { subject: body.name, subjectId: made, changes: changed('source', null, body.source) }
        await auditBy(deps, { user, request })(trx, { did: 'connector.created', ...entry })
      })
      return show(deps, id)
    },
  })
  serve(server, contract.changeConnector, {
    handle: async ({ params: { connectorId }, user, body, request }) => {
      const row = await findAllowed(db, user, 'manage connector', connectorId)
      await jobs.prepare()
      await editConnector(deps, row, body, async (trx) => {
        await requestSync(deps, connectorId, { within: trx })
        const entry = { subject: row.name, subjectId: connectorId, changes: changesOf(row.name, body) }
        await auditBy(deps, { user, request })(trx, { did: 'connector.changed', ...entry })
      })
      await watchAgain(deps, connectorId)
      return show(deps, connectorId)
    },
  })
  serve(server, contract.removeConnector, {
    handle: async ({ params: { connectorId }, user, body, request }) => {
      await jobs.prepare()
      await db.transaction().execute(async (trx) => {
        const row = await lockConnector(trx, connectorId)
        if (!row) throw new AppError('not_found', 'Connector not found')
        if (body.documents === 'keep') await assertMayKeep(trx, row)
        await updateConnector(trx, connectorId, { removing: body.documents, next_sync_at: null })
        await requestSync(deps, connectorId, { within: trx })
        const entry = {
          ...{ subject: row.name, subjectId: connectorId },
          changes: changed('documents', null, body.documents),
        }
        await auditBy(deps, { user, request })(trx, { did: 'connector.removed', ...entry })
      })
      await watchAgain(deps, connectorId)
    },
  })
}

/** @throws AppError `conflict` when the owner would read documents that were kept from them */
async function assertMayKeep(trx: RunDeps['db'], row: ConnectorRow): Promise<void> {
  if (row.rights === 'mirrored')
    throw new AppError('conflict', 'Documents with mirrored rights can only be removed with their connector.')
  if (!(await isOwnerInCompany(trx, row)))
    throw new AppError('conflict', 'The owner of the documents is no longer in the company. Delete them.')
}

function serveSyncing(server: Server, deps: RunDeps): void {
  const { db, jobs, clock } = deps
  serve(server, contract.pauseConnector, {
    handle: async ({ params: { connectorId } }) => {
      await jobs.prepare()
      await pauseConnector(db, connectorId)
      await watchAgain(deps, connectorId)
      return show(deps, connectorId)
    },
  })
  serve(server, contract.syncConnector, {
    handle: async ({ params: { connectorId } }) => {
      await jobs.prepare()
      await db.transaction().execute((trx) => beginNow(deps, trx, connectorId))
      return show(deps, connectorId)
    },
  })
  serve(server, items.retryConnectorItem, {
    handle: async ({ params: { connectorId, itemId } }) => {
      await jobs.prepare()
      await db.transaction().execute(async (trx) => {
        await beginNow(deps, trx, connectorId)
        if (!(await retryItem(trx, connectorId, itemId, clock.now())))
          throw new AppError('not_found', 'Item not found')
      })
      const row = await readItem(db, itemId)
      if (!row) throw new AppError('not_found', 'Item not found')
      return showItem(row)
    },
  })
}

/** Makes a connector sync now. @throws AppError `conflict` while a question is open, and before the sign-in */
async function beginNow(deps: RunDeps, trx: RunDeps['db'], id: string): Promise<void> {
  const row = await lockConnector(trx, id)
  if (!row) throw new AppError('not_found', 'Connector not found')
  if (row.state === 'asking')
    throw new AppError('conflict', 'Answer the question about the missing items first.')
  if (row.state === 'signed_out' && sourceOf(row.source).signIn)
    throw new AppError('conflict', 'Sign in to the source first.')
  await makeDue(trx, id, deps.clock.now())
  await requestSync(deps, id, { within: trx })
}

function serveRemovals(server: Server, deps: RunDeps): void {
  const { db, jobs, clock } = deps
  serve(server, items.answerRemoval, {
    handle: async ({ params: { connectorId }, body, user, request }) => {
      await jobs.prepare()
      await db.transaction().execute(async (trx) => {
        await answerMissing(trx, connectorId, { ...body, by: user.id }, clock.now())
        await requestSync(deps, connectorId, { within: trx })
        const entry = {
          ...(await subjectOf(trx, connectorId)),
          changes: changed('missing_items', null, body.answer),
        }
        await auditBy(deps, { user, request })(trx, { did: 'connector.changed', ...entry })
      })
      return show(deps, connectorId)
    },
  })
  serve(server, items.undoRemoval, {
    handle: async ({ params: { connectorId }, body, user, request }) => {
      await db.transaction().execute(async (trx) => {
        await undoMissing(trx, connectorId, body.removal_id, clock.now())
        const entry = {
          ...(await subjectOf(trx, connectorId)),
          changes: changed('missing_items', 'remove', 'undo'),
        }
        await auditBy(deps, { user, request })(trx, { did: 'connector.changed', ...entry })
      })
      return show(deps, connectorId)
    },
  })
}

/** Names a connector in the audit log. */
async function subjectOf(db: RunDeps['db'], id: string): Promise<{ subject: string; subjectId: string }> {
  return { subject: (await findConnector(db, id))?.name ?? id, subjectId: id }
}

const changeable = ['settings', 'selection', 'rights', 'readers', 'every_minutes'] as const

/** Returns the changes for the audit log. Settings may contain secrets, so they are only named. */
function changesOf(
  name: string,
  changes: Partial<Record<(typeof changeable)[number], unknown>> & { name?: string | undefined },
) {
  const others = changeable.filter((what) => changes[what] !== undefined)
  return [
    ...changed('name', name, changes.name ?? name),
    ...others.flatMap((what) => changed(what, null, 'changed')),
  ]
}

async function show(deps: RunDeps, id: string): Promise<contract.Connector> {
  const row = await readCounted(deps.db, id)
  if (!row) throw new AppError('not_found', 'Connector not found')
  return showConnector(row, isReachable(deps))
}
