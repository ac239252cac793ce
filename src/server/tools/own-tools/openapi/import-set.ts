import { isDeepStrictEqual } from 'node:util'
import { HttpCall, secretsOf } from '#shared/tools/own-tools/http-call.ts'
import type { ImportDone, importDescription } from '#shared/tools/own-tools/openapi.ts'
import { type Audit, changed } from '../../../identity/audit/audit.ts'
import { findAllowed } from '../../../platform/access/access.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Call, Caller } from '../../../platform/http/serve.ts'
import { ApiConnection } from '../http/api-kind.ts'
import { checkAddress } from '../http/check-address.ts'
import { addressesOf, staysAtOrigins } from '../http/secret-origins.ts'
import {
  assertReachable,
  assertRoomFor,
  assertSecretsOf,
  checkAuth,
  keepSealed,
  newToolId,
  secretsReplaced,
} from '../save-tool.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import {
  addVersion,
  findSecrets,
  insertSet,
  insertTool,
  keepSecrets,
  listOfSet,
  lockOwner,
  removeTool,
  type StoredTool,
  withdrawLeave,
  writePolicy,
  writeSet,
} from '../store.ts'
import type { MadeCall } from './make-call.ts'
import { describeText, fetchDescription, pickCalls } from './read-description.ts'

type Wish = Call<typeof importDescription>['body']
type Change = { stored: StoredTool; made: MadeCall; definition: Record<string, unknown>; parts: string[] }
type Plan = { added: MadeCall[]; changed: Change[]; removed: StoredTool[]; same: number }

/**
 * Creates tools from operations, or updates those of a set. Deselected ones are deleted; a person's changes to a tool stay.
 * @throws AppError `invalid` with the first error; then nothing is stored
 */
export async function importSet(
  deps: OwnToolDeps,
  user: Caller,
  wish: Wish,
  audit: Audit,
): Promise<ImportDone> {
  const known = wish.set_id ? await findAllowed(deps.db, user, 'write tool-set', wish.set_id) : null
  const connection = known ? ApiConnection.parse(known.connection) : null
  const auth = wish.auth ?? connection?.auth ?? { kind: 'none' as const }
  checkAuth(auth)
  checkAddress(wish.server)
  const source = await fetchDescription(deps, wish)
  const keys = [...new Set(wish.operations.map(({ key }) => key))]
  const made = await pickCalls(source, keys, wish.server)
  const plan = comparePlan(known ? await listOfSet(deps.db, known.id) : [], made)
  if (wish.dry_run) return describe(null, plan)

  await assertReachable(deps, [...plan.added.map(({ call }) => call.address), ...addressesOf(auth)])
  // Secrets are sent only to the servers they were entered for.
  const isSame =
    connection?.source !== undefined &&
    auth.kind === connection.auth.kind &&
    staysAtOrigins(
      { address: connection.source.server, auth: connection.auth },
      { address: wish.server, auth },
    )
  const kept = known && isSame ? await findSecrets(deps.db, known.id) : []
  assertSecretsOf(auth, { ...Object.fromEntries(kept.map(({ name }) => [name, 'kept'])), ...wish.secrets })
  const { title } = await describeText(source)
  const about = { auth, source: { title, address: source.base, server: wish.server } }
  const policies = new Map(wish.operations.map(({ key, policy }) => [key, policy]))
  const now = deps.clock.now()
  const id = await deps.db.transaction().execute(async (trx) => {
    await lockOwner(trx, user.id)
    await assertRoomFor(trx, deps, user.id, plan.added.length - plan.removed.length)
    const set_id =
      known?.id ?? (await insertSet(trx, { user_id: user.id, kind: 'api', name: title, connection: about }))
    if (known) await writeSet(trx, set_id, { name: title, connection: about }, now)
    for (const { key, name, description, call } of plan.added) {
      const row = { id: newToolId(name), set_id, user_id: user.id, key, policy: policies.get(key) ?? null }
      await insertTool(trx, row, { name, description, icon: null }, { ...call })
    }
    for (const {
      stored,
      made: { description },
      definition,
    } of plan.changed)
      await addVersion(trx, stored, { name: stored.name, description, icon: stored.icon }, definition, now)
    for (const { stored, parts } of plan.changed) {
      const policy = policies.get(stored.key)
      // The permission was for another call, so a tool whose destination or method has changed asks again.
      if (parts.includes('method') || parts.includes('address')) await withdrawLeave(trx, [stored.id])
      if (policy !== undefined) await writePolicy(trx, stored.id, policy)
    }
    for (const gone of plan.removed) await removeTool(trx, gone)
    await keepSecrets(trx, set_id, kept.length > 0 ? secretsOf(auth) : [])
    await keepSealed(trx, deps, set_id, wish.secrets ?? {})
    const changes = [
      ...changed('added', '0', String(plan.added.length)),
      ...changed('changed', '0', String(plan.changed.length)),
      ...changed('removed', '0', String(plan.removed.length)),
      ...secretsReplaced(wish.secrets),
    ]
    const did = known ? 'tool.changed' : 'tool.created'
    await audit(trx, { did, subject: title, subjectId: set_id, changes })
    return set_id
  })
  return describe(id, plan)
}

/** Returns the changes an import makes. */
function comparePlan(stored: StoredTool[], made: MadeCall[]): Plan {
  const byKey = new Map(stored.map((tool) => [tool.key, tool]))
  const picked = new Set(made.map(({ key }) => key))
  const met = made.flatMap((one) => {
    const tool = byKey.get(one.key)
    return tool ? [compare(tool, one)] : []
  })
  const changed = met.filter(({ parts }) => parts.length > 0)
  return {
    added: made.filter(({ key }) => !byKey.has(key)),
    changed,
    removed: stored.filter(({ key }) => !picked.has(key)),
    same: met.length - changed.length,
  }
}

function compare(stored: StoredTool, made: MadeCall): Change {
  const before = HttpCall.parse(stored.definition)
  // The owner's own settings for answers, time limits and additional data stay.
  const call = { ...made.call, answer: before.answer, seconds: before.seconds, headers: before.headers }
  const parts = [
    ...(stored.description === made.description ? [] : ['description']),
    ...(['method', 'address', 'media', 'inputs'] as const).filter((name) => !same(before[name], call[name])),
  ]
  return { stored, made, definition: call, parts }
}

/** Compares stored forms, which omit undefined values. */
const same = (one: unknown, other: unknown) =>
  isDeepStrictEqual(JSON.parse(toJson(one)), JSON.parse(toJson(other)))

function describe(set_id: string | null, { added, changed, removed, same }: Plan): ImportDone {
  return {
    set_id,
    added: added.map(({ key }) => key),
    changed: changed.map(({ stored: { key }, parts }) => ({ key, parts })),
    removed: removed.map(({ key }) => key),
    same,
  }
}
