import type { Transaction } from 'kysely'
import * as contract from '#shared/identity/administration/helping.ts'
import type { AuditAction, AuditChange } from '#shared/identity/audit/audit.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Person, reaches } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { type Call, type Server, serve } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import {
  assertMayChange,
  assertWholeAccount,
  lockPerson,
  readManaged,
  superAdmins,
} from '../../administration/administration.ts'
import { actorOf, changed, writeAudit } from '../../audit/audit.ts'
import { forgetDevices } from '../device-store.ts'
import { isUnprovedAdministrator } from '../hand-over/hand-over.ts'
import { requestMail } from '../mails.ts'
import { followGroupsBack } from '../scim/scim.ts'
import { endPending, forgetFactors } from '../second-factor/second-factor-store.ts'
import { endTokens } from '../tokens/access-token-store.ts'
import { companyName, dropAddress, findAddress, listMembers, setDeactivated } from './helping-store.ts'

type Trx = Transaction<Tables>
type Helping = Pick<Call<typeof contract.endSignInsOf>, 'user' | 'params' | 'request'>

/** Serves administrator actions on users: recovery help and deactivation. */
export function serveHelping(server: Server, deps: Platform): void {
  const { db, clock } = deps
  serve(server, contract.endSignInsOf, {
    handle: (call) =>
      help(call, async (trx, userId) => {
        await shutOut(trx, userId)
        return { did: 'session.ended', changes: changed('sign-ins', null, 'all') }
      }),
  })
  serve(server, contract.signOutCompany, {
    handle: ({ user, params: { companyId }, request }) =>
      db.transaction().execute(async (trx) => {
        const people = await listMembers(trx, companyId)
        // A company admin does not sign out super admins.
        const spared = reaches(user, 'super_admin') ? [] : await superAdmins(trx)
        const meant = people.filter((id) => !spared.includes(id))
        for (const id of meant) await shutOut(trx, id, id === user.id ? user.tokenHash : undefined)
        await writeAudit(trx, clock.now(), {
          ...{ actor: actorOf(user, request), did: 'session.ended' as const, companyId },
          ...{ subject: await companyName(trx, companyId), changes: changed('sign-ins', null, 'all') },
        })
        return { people: meant.length }
      }),
  })
  serve(server, contract.sendPasswordResetTo, {
    handle: async (call) => {
      await help(call, async (trx, userId) => {
        // The link vouches for the address, and so for everything the account administers.
        if (await isUnprovedAdministrator(trx, userId)) await assertWholeAccount(trx, call.user, userId)
        return { did: 'password.reset_sent' }
      })
      await requestMail(deps, 'reset_by_administrator', await findAddress(db, call.params.userId))
      return { is_mailed: (await deps.mail.host()) !== null }
    },
  })
  serve(server, contract.resetSecondFactorOf, {
    handle: async (call) => {
      await help(call, async (trx, userId) => {
        await assertWholeAccount(trx, call.user, userId)
        await forgetFactors(trx, userId)
        await shutOut(trx, userId)
        return { did: 'factor.removed', changes: changed('factor', 'all', null) }
      })
      await requestMail(deps, 'factors_changed', await findAddress(db, call.params.userId))
    },
  })
  serve(server, contract.deactivateUser, {
    handle: async (call) => {
      if (call.params.userId === call.user.id)
        throw new AppError('conflict', 'You cannot deactivate yourself. Another administrator can.')
      await help(call, async (trx, userId) => {
        await assertWholeAccount(trx, call.user, userId)
        const isNew = await setDeactivated(trx, userId, clock.now())
        await shutOut(trx, userId)
        return isNew ? { did: 'account.deactivated' } : null
      })
      return readManaged(deps, call.user, call.params.userId)
    },
  })
  serve(server, contract.releaseAddress, {
    handle: async (call) => {
      if (call.params.userId === call.user.id)
        throw new AppError('conflict', 'You cannot release your own address. Change it in your profile.')
      await help(call, async (trx, userId) => {
        await assertWholeAccount(trx, call.user, userId)
        const before = await findAddress(trx, userId)
        const after = await dropAddress(trx, userId, clock.now())
        return { did: 'account.changed', changes: changed('email', before, after) }
      })
      return readManaged(deps, call.user, call.params.userId)
    },
  })
  serve(server, contract.reactivateUser, {
    handle: async (call) => {
      await help(call, async (trx, userId) => {
        await assertWholeAccount(trx, call.user, userId)
        await followGroupsBack(deps, trx, userId)
        return (await setDeactivated(trx, userId, null)) ? { did: 'account.reactivated' } : null
      })
      return readManaged(deps, call.user, call.params.userId)
    },
  })

  type Done = { did: AuditAction; changes?: AuditChange[] } | null

  /** Applies an action to a user and adds an audit entry for their company. */
  async function help(
    { user, params: { userId }, request }: Helping,
    act: (trx: Trx, userId: string, admin: Person) => Promise<Done>,
  ): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await assertMayChange(trx, user, userId)
      const { name: subject, company_id: companyId } = await lockPerson(trx, userId)
      const done = await act(trx, userId, user)
      const entry = { actor: actorOf(user, request), subject, subjectId: userId, companyId }
      if (done) await writeAudit(trx, clock.now(), { ...entry, ...done })
    })
  }
}

/** Ends all sessions of a user, including pending second steps. */
async function shutOut(trx: Trx, userId: string, except?: Buffer): Promise<void> {
  await endTokens({ db: trx }, userId, except)
  await forgetDevices({ db: trx }, userId)
  await endPending(trx, userId)
}
