import type { Transaction } from 'kysely'
import { z } from 'zod'
import type { AuditAction, AuditChange } from '#shared/identity/audit/audit.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { lockRoles } from '../../administration/administration.ts'
import { changed } from '../../audit/audit.ts'
import { followGroupsOf, type ScimDeps } from './membership.ts'
import { record } from './record.ts'
import { ScimError } from './scim-error.ts'
import {
  addMembers,
  deleteGroup,
  findGroup,
  insertGroup,
  readMembers,
  removeMembers,
  type ScimGroupRow,
  updateGroup,
} from './scim-group-store.ts'
import { type Operation, parse } from './user-draft.ts'

type Trx = Transaction<Tables>
type Members = ReadonlyMap<string, string>

const Member = z.looseObject({ value: z.string().max(60) })
/** A single member may come without a list. */
const MemberList = z.preprocess(
  (given) => (typeof given === 'object' && given !== null && 'value' in given ? [given] : given),
  z.array(Member).max(10_000),
)
const Given = z.looseObject({
  displayName: z.string().max(200).overwrite(cleanLabel).trim().min(1),
  externalId: z.nullish(z.string().max(320)),
  members: z.nullish(MemberList),
})
/** Maximum users named in one audit entry; beyond it only their number is given. */
const MAX_NAMED = 100

/** @throws ScimError 404 */
export async function readGroup(
  { db }: Pick<ScimDeps, 'db'>,
  companyId: string,
  id: string,
  withMembers = true,
): Promise<ScimGroupRow> {
  const found = await findGroup(db, companyId, id, withMembers)
  if (!found) throw new ScimError(404, `There is no group ${id.slice(0, 60)}.`)
  return found
}

/** @throws ScimError 400 for a member who is not of the company, 409 for a name that is taken */
export async function createGroup(deps: ScimDeps, companyId: string, body: unknown): Promise<ScimGroupRow> {
  const { displayName, externalId = null, members } = parse(Given, readableBy(body))
  const id = await deps.db.transaction().execute(async (trx) => {
    await lockRoles(trx)
    const made = await insertGroup(trx, { companyId, displayName, externalId }, deps.clock.now())
    if (!made) throw taken()
    const ids = (members ?? []).map(({ value }) => value)
    await putMembers(trx, companyId, made, ids)
    const after = await readMembers(trx, made)
    await followGroupsOf(deps, trx, companyId, after.keys())
    const changes = [...changed('external_id', null, externalId), ...changesOfMembers(new Map(), after)]
    await recordGroup(deps, trx, companyId, 'group.created', { id: made, name: displayName, changes })
    return made
  })
  return readGroup(deps, companyId, id)
}

/** Replaces a group by PUT. */
export async function replaceGroup(deps: ScimDeps, companyId: string, group: ScimGroupRow, body: unknown) {
  const { displayName, externalId = null, members } = parse(Given, readableBy(body))
  const value = (members ?? []).map(({ value }) => ({ value }))
  return patchGroup(deps, companyId, group, [
    { op: 'replace', path: 'displayName', value: displayName },
    { op: 'replace', path: 'externalId', value: externalId },
    { op: 'replace', path: 'members', value },
  ])
}

/** Applies operations to a group and updates the roles of users who joined or left. */
export async function patchGroup(
  deps: ScimDeps,
  companyId: string,
  group: ScimGroupRow,
  operations: Operation[],
): Promise<ScimGroupRow> {
  await deps.db.transaction().execute(async (trx) => {
    await lockRoles(trx)
    const before = await readMembers(trx, group.id)
    const facts = { displayName: group.display_name, externalId: group.external_id }
    for (const { op, path, value } of operations.flatMap(unfold)) {
      const [, only] = /^members\[ *value eq "([^"]{1,60})" *\]$/i.exec(path) ?? []
      const name = path.toLowerCase()
      if (only !== undefined && op === 'remove') await removeMembers(trx, group.id, [only])
      else if (name === 'members') {
        const ids = value == null ? undefined : parse(MemberList, value).map((one) => one.value)
        if (op === 'remove') await removeMembers(trx, group.id, ids)
        if (op === 'replace') await removeMembers(trx, group.id)
        if (op !== 'remove') await putMembers(trx, companyId, group.id, ids ?? [])
      } else if (name === 'displayname') facts.displayName = parse(Given.shape.displayName, value)
      else if (name === 'externalid')
        facts.externalId = op === 'remove' ? null : parse(z.string().max(320).nullable(), value)
      else if (name !== 'id' && name !== 'schemas')
        throw new ScimError(400, `A group has no ${path.slice(0, 60)}.`, 'invalidPath')
    }
    await updateGroup(trx, group.id, facts, deps.clock.now()).catch((error) => {
      throw error instanceof Error && 'constraint' in error ? taken() : error
    })
    const after = await readMembers(trx, group.id)
    await followGroupsOf(deps, trx, companyId, new Set([...before.keys(), ...after.keys()]))
    const changes = [
      ...changed('name', group.display_name, facts.displayName),
      ...changed('external_id', group.external_id, facts.externalId),
      ...changesOfMembers(before, after),
    ]
    const entry = { id: group.id, name: group.display_name, changes }
    if (changes.length > 0) await recordGroup(deps, trx, companyId, 'group.changed', entry)
  })
  return readGroup(deps, companyId, group.id)
}

export async function removeGroup(
  deps: ScimDeps,
  companyId: string,
  { id, display_name: name }: ScimGroupRow,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    await lockRoles(trx)
    const members = await readMembers(trx, id)
    await deleteGroup(trx, id)
    await followGroupsOf(deps, trx, companyId, members.keys())
    const changes = changesOfMembers(members, new Map())
    await recordGroup(deps, trx, companyId, 'group.removed', { id, name, changes })
  })
}

/** @throws ScimError `invalidValue` for an id outside the company; it does not say whether there is such an account elsewhere */
async function putMembers(trx: Trx, companyId: string, groupId: string, ids: string[]): Promise<void> {
  const foreign = await addMembers(trx, companyId, groupId, ids)
  if (foreign !== null)
    throw new ScimError(400, `There is no user ${foreign.slice(0, 60)} in this company.`, 'invalidValue')
}

function changesOfMembers(before: Members, after: Members): AuditChange[] {
  const came = [...after].filter(([id]) => !before.has(id)).map(([, name]) => changed('person', null, name))
  const went = [...before].filter(([id]) => !after.has(id)).map(([, name]) => changed('person', name, null))
  const all = [...went, ...came].flat()
  const more = all.length - MAX_NAMED
  return more > 0 ? [...all.slice(0, MAX_NAMED), ...changed('further_people', null, String(more))] : all
}

function recordGroup(
  deps: ScimDeps,
  trx: Trx,
  companyId: string,
  did: AuditAction,
  { id, name, changes }: { id: string; name: string; changes: AuditChange[] },
): Promise<void> {
  return record(deps, trx, companyId, { did, subject: name, subjectId: id, changes })
}

/** Lower-cases attribute names, which are case-insensitive (RFC 7643, 2.1). */
function readableBy(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const known = Object.keys(Given.shape)
  const named = (key: string) => known.find((name) => name.toLowerCase() === key.toLowerCase()) ?? key
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [named(key), value]))
}

/** Splits an operation without a path into one per attribute, and removes schema prefixes from paths. */
function unfold({ op, path, value }: Operation): Operation[] {
  const several =
    path === '' ? Object.entries((value ?? {}) as Record<string, unknown>) : [[path, value] as const]
  return several.map(([name, one]) => ({ op, path: name.replace(schema, ''), value: one }))
}

const schema = /^urn:ietf:params:scim:schemas:core:2\.0:group:/i
const taken = () => new ScimError(409, 'A group of this name is there already.', 'uniqueness')
