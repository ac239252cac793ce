import * as contract from '#shared/chat/projects/project-members.ts'
import type { ProjectRole } from '#shared/chat/projects/roles.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Audit, auditBy, changed } from '../../identity/audit/audit.ts'
import { findReach, resolveRecipient } from '../../identity/sharing/sharing.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  countMembers,
  deleteMember,
  findMembership,
  findRole,
  listMembers,
  putMember,
  setRole,
} from './member-store.ts'
import { lockProject } from './settings-store.ts'

/** Serves the members of a project: list, add, give another role, remove, leave. */
export function serveMembers(server: Server, { db, clock }: Platform): void {
  const show = async (user: Caller, id: string) => ({ items: await listMembers(db, user, id) })
  serve(server, contract.listMembers, { handle: ({ params, user }) => show(user, params.workspaceId) })
  serve(server, contract.addMember, {
    handle: async ({ params: { workspaceId }, body, user, request }) => {
      await addMember(db, user, workspaceId, body, auditBy({ clock }, { user, request }))
      return show(user, workspaceId)
    },
  })
  serve(server, contract.changeMember, {
    handle: async ({ params: { workspaceId, projectMemberId }, body: { role }, user, request }) => {
      await db.transaction().execute(async (trx) => {
        const { name } = await lock(trx, workspaceId)
        const before = await setRole(trx, workspaceId, projectMemberId, role)
        if (!before) throw unknownMember()
        const changes = changed(before.name, before.role, role)
        const audit = auditBy({ clock }, { user, request })
        await audit(trx, { did: 'member.changed', subject: name, subjectId: workspaceId, changes })
      })
      return show(user, workspaceId)
    },
  })
  serve(server, contract.removeMember, {
    handle: async ({ params: { workspaceId, projectMemberId }, user, request }) => {
      await removeMember(db, workspaceId, projectMemberId, auditBy({ clock }, { user, request }))
      return { message: 'The member was removed.' }
    },
  })
  serve(server, contract.leaveProject, {
    handle: async ({ params: { workspaceId }, user, request }) => {
      const own = await findMembership(db, user, workspaceId)
      if (own === null)
        throw new AppError('conflict', 'You own this project or belong to it through a group.')
      await removeMember(db, workspaceId, own, auditBy({ clock }, { user, request }))
      return { message: 'You left the project.' }
    },
  })
}

type Db = Platform['db']
type Wish = { recipient: { who: 'person' | 'group'; id: string }; role: ProjectRole }

/** @throws AppError `not_found`, `forbidden` for the recipient, `invalid` for the owner, `conflict` at the maximum */
async function addMember(db: Db, user: Caller, id: string, { recipient, role }: Wish, audit: Audit) {
  await db.transaction().execute(async (trx) => {
    const project = await lock(trx, id)
    const to = await resolveRecipient(trx, user, await findReach(trx, user), recipient)
    if (to.person_id === project.user_id) throw new AppError('invalid', 'This person owns the project.')
    const before = await findRole(trx, id, to)
    if (before === null && (await countMembers(trx, id)) >= contract.MAX_MEMBERS)
      throw new AppError('conflict', `It has ${contract.MAX_MEMBERS} members, the maximum. Add a group.`)
    await putMember(trx, id, { ...to, role, addedBy: user.id })
    const changes = changed(to.name, before, role)
    await audit(trx, { did: 'member.added', subject: project.name, subjectId: id, changes })
  })
}

async function removeMember(db: Db, id: string, memberId: string, audit: Audit): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { name } = await lock(trx, id)
    const gone = await deleteMember(trx, id, memberId)
    if (!gone) throw unknownMember()
    const changes = changed(gone.name, gone.role, null)
    await audit(trx, { did: 'member.removed', subject: name, subjectId: id, changes })
  })
}

/** Locks the project, so that concurrent changes of members follow each other. @throws AppError `not_found` */
async function lock(trx: Db, id: string) {
  const project = await lockProject(trx, id)
  if (!project) throw new AppError('not_found', 'Project not found')
  return project
}

function unknownMember(): AppError {
  return new AppError('not_found', 'This member is not in the project any more.')
}
