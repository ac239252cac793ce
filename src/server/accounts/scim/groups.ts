import { z } from 'zod'
import {
  addMembers,
  deleteGroup,
  findGroup,
  insertGroup,
  memberIds,
  removeMembers,
  type ScimGroupRow,
  updateGroup,
} from './group-store.ts'
import { ScimError } from './scim-error.ts'
import { type Operation, parse } from './user-draft.ts'
import { followGroupsOf, type ScimDeps } from './users.ts'

const Members = z.array(z.looseObject({ value: z.string().max(60) })).max(10_000)
const Given = z.looseObject({
  displayName: z.string().trim().min(1).max(200),
  externalId: z.nullish(z.string().max(320)),
  members: z.nullish(Members),
})

/** @throws ScimError 404 */
export async function readGroup({ db }: ScimDeps, companyId: string, id: string): Promise<ScimGroupRow> {
  const found = await findGroup(db, companyId, id)
  if (!found) throw new ScimError(404, `There is no group ${id.slice(0, 60)}.`)
  return found
}

export async function createGroup(deps: ScimDeps, companyId: string, body: unknown): Promise<ScimGroupRow> {
  const { displayName, externalId = null, members } = parse(Given, body)
  const id = await deps.db.transaction().execute(async (trx) => {
    const made = await insertGroup(trx, { companyId, displayName, externalId }, deps.clock.now())
    if (!made) throw taken()
    await addMembers(
      trx,
      companyId,
      made,
      (members ?? []).map(({ value }) => value),
    )
    for (const user of await memberIds(trx, made)) await followGroupsOf(deps, trx, companyId, user)
    return made
  })
  return readGroup(deps, companyId, id)
}

/** PUT says the whole group anew. */
export async function replaceGroup(deps: ScimDeps, companyId: string, group: ScimGroupRow, body: unknown) {
  const { displayName, externalId = null, members } = parse(Given, body)
  const value = (members ?? []).map(({ value }) => ({ value }))
  return patchGroup(deps, companyId, group, [
    { op: 'replace', path: 'displayName', value: displayName },
    { op: 'replace', path: 'externalId', value: externalId },
    { op: 'replace', path: 'members', value },
  ])
}

/** Who comes or goes by operations gets the role their groups grant then. */
export async function patchGroup(
  deps: ScimDeps,
  companyId: string,
  group: ScimGroupRow,
  operations: Operation[],
): Promise<ScimGroupRow> {
  await deps.db.transaction().execute(async (trx) => {
    const before = await memberIds(trx, group.id)
    const facts = { displayName: group.display_name, externalId: group.external_id }
    for (const { op, path, value } of operations.flatMap(unfold)) {
      const [, only] = /^members\[value eq "([^"]{1,60})"\]$/i.exec(path) ?? []
      const name = path.toLowerCase()
      if (only !== undefined && op === 'remove') await removeMembers(trx, group.id, [only])
      else if (name === 'members') {
        const ids = value == null ? undefined : parse(Members, value).map((one) => one.value)
        if (op === 'remove') await removeMembers(trx, group.id, ids)
        if (op === 'replace') await removeMembers(trx, group.id)
        if (op !== 'remove') await addMembers(trx, companyId, group.id, ids ?? [])
      } else if (name === 'displayname') facts.displayName = parse(Given.shape.displayName, value)
      else if (name === 'externalid')
        facts.externalId = op === 'remove' ? null : parse(z.string().max(320).nullable(), value)
      else if (name !== 'id' && name !== 'schemas')
        throw new ScimError(400, `A group has no ${path.slice(0, 60)}.`, 'invalidPath')
    }
    await updateGroup(trx, group.id, facts, deps.clock.now()).catch((error) => {
      throw error instanceof Error && 'constraint' in error ? taken() : error
    })
    for (const user of new Set([...before, ...(await memberIds(trx, group.id))]))
      await followGroupsOf(deps, trx, companyId, user)
  })
  return readGroup(deps, companyId, group.id)
}

export async function removeGroup(deps: ScimDeps, companyId: string, { id }: ScimGroupRow): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const members = await memberIds(trx, id)
    await deleteGroup(trx, id)
    for (const user of members) await followGroupsOf(deps, trx, companyId, user)
  })
}

/** An operation without a path has an object of several. */
function unfold({ op, path, value }: Operation): Operation[] {
  if (path !== '') return [{ op, path, value }]
  return Object.entries((value ?? {}) as Record<string, unknown>).map(([name, one]) => ({
    op,
    path: name,
    value: one,
  }))
}

const taken = () => new ScimError(409, 'A group of this name is there already.', 'uniqueness')
