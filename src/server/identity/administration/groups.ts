import type { Kysely } from 'kysely'
import * as contract from '#shared/identity/administration/groups.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Call, type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { actorOf, changed, writeAudit } from '../audit/audit.ts'
import {
  countGroups,
  deleteMember,
  findGroup,
  findGroups,
  findMembers,
  insertGroup,
  insertMember,
  isOfCompanyOf,
  removeGroup,
  setGroupName,
} from './group-store.ts'

/** Serves the user groups of companies. */
export function serveGroups(server: Server, { db, clock }: Platform): void {
  serve(server, contract.listGroups, {
    handle: async ({ user, query: { page, limit, q = '' } }) => {
      const skip = (page - 1) * limit
      const { items, total } = await findGroups(db, user, { q, skip, limit })
      return { items, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.createGroup, {
    handle: async ({ user, body, request }) => {
      await findAllowed(db, user, 'manage company', body.company_id)
      const name = cleanCharacters(body.name)
      return db.transaction().execute(async (trx) => {
        if ((await countGroups(trx, body.company_id)) >= contract.MAX_GROUPS)
          throw new AppError('conflict', `A company has at most ${contract.MAX_GROUPS} groups.`)
        const id = await insertGroup(trx, body.company_id, name)
        if (!id) throw taken(name)
        await record(trx, { user, request }, { id, did: 'group.created' })
        return read(trx, id)
      })
    },
  })
  serve(server, contract.renameGroup, {
    handle: ({ user, params: { groupId: id }, body, request }) =>
      db.transaction().execute(async (trx) => {
        const before = await readOwn(trx, id)
        const name = cleanCharacters(body.name)
        if (!(await setGroupName(trx, id, name))) throw taken(name)
        const changes = changed('name', before.name, name)
        await record(trx, { user, request }, { id, did: 'group.changed', changes })
        return read(trx, id)
      }),
  })
  serve(server, contract.deleteGroup, {
    handle: ({ user, params: { groupId: id }, request }) =>
      db.transaction().execute(async (trx) => {
        const { name: subject, company } = await readOwn(trx, id)
        await removeGroup(trx, id)
        const actor = actorOf(user, request)
        const entry = { actor, subject, subjectId: id, companyId: company.id }
        await writeAudit(trx, clock.now(), { ...entry, did: 'group.removed' })
      }),
  })
  serve(server, contract.listGroupMembers, {
    handle: async ({ params: { groupId }, query: { page, limit } }) => {
      const skip = (page - 1) * limit
      const { items, total } = await findMembers(db, groupId, { skip, limit })
      return { items, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.addGroupMember, {
    handle: ({ user, params: { groupId: id, memberId }, request }) =>
      db.transaction().execute(async (trx) => {
        await readOwn(trx, id)
        const name = await insertMember(trx, id, memberId)
        if (!name && !(await isOfCompanyOf(trx, id, memberId)))
          throw new AppError('not_found', 'This person does not belong to the company of the group.')
        const changes = changed('person', null, name)
        if (name) await record(trx, { user, request }, { id, did: 'group.changed', changes })
        return read(trx, id)
      }),
  })
  serve(server, contract.removeGroupMember, {
    handle: ({ user, params: { groupId: id, memberId }, request }) =>
      db.transaction().execute(async (trx) => {
        await readOwn(trx, id)
        const name = await deleteMember(trx, id, memberId)
        const changes = changed('person', name, null)
        if (name) await record(trx, { user, request }, { id, did: 'group.changed', changes })
        return read(trx, id)
      }),
  })

  type By = Pick<Call<typeof contract.renameGroup>, 'user' | 'request'>
  type Done = Pick<Parameters<typeof writeAudit>[2], 'did' | 'changes'> & { id: string }

  async function record(trx: Kysely<Tables>, { user, request }: By, { id, ...done }: Done) {
    const { name: subject, company } = await read(trx, id)
    const entry = { actor: actorOf(user, request), subject, subjectId: id, companyId: company.id }
    await writeAudit(trx, clock.now(), { ...entry, ...done })
  }
}

async function read(trx: Kysely<Tables>, id: string): Promise<contract.Group> {
  const group = await findGroup(trx, id)
  if (!group) throw new AppError('not_found', 'Group not found')
  return group
}

/** @throws AppError `conflict` for a group of the directory */
async function readOwn(trx: Kysely<Tables>, id: string): Promise<contract.Group> {
  const group = await read(trx, id)
  if (!group.from_directory) return group
  throw new AppError('conflict', 'This group comes from the directory of the company. Change it there.')
}

const taken = (name: string) => new AppError('conflict', `The company has a group “${name}” already.`)
