import type { AuditAction } from '#shared/identity/audit/audit.ts'
import type { Platform } from '../../../platform/platform.ts'
import { lockRoles } from '../../administration/administration.ts'
import { actorById, changed, writeAudit } from '../../audit/audit.ts'
import { forgetDevices } from '../device-store.ts'
import { takeWaysIn } from '../hand-over/hand-over.ts'
import { followGroupsBack } from '../scim/scim.ts'
import { endPending } from '../second-factor/second-factor-store.ts'
import { endTokens, lockAccount } from '../tokens/access-token-store.ts'
import type { Directory } from './directory.ts'
import {
  type DirectoryPerson,
  findPeople,
  findPerson,
  isDirectorysAlone,
  openAccount,
  setGone,
  shutAccount,
} from './people-store.ts'

const jobName = 'accounts.directory-check'

/** Registers the job that looks for users who left a directory. `list` returns those in use. */
export function registerDirectoryCheck(deps: Platform, list: () => Promise<Directory[]>): void {
  const minutes = deps.config.LDAP_CHECK_MINUTES
  if (minutes === 0) return
  const cron = minutes === 60 ? '23 * * * *' : `*/${minutes} * * * *`
  // An unreachable directory signs no one out. The failure is logged and the next check runs as usual.
  const check = async () => {
    for (const directory of await list()) await checkPeople(deps, directory).catch(() => undefined)
  }
  deps.jobs.register(jobName, check, { cron })
}

/**
 * Deactivates users whom the directory no longer lists or has disabled, and reactivates those it lists again.
 * @throws AppError `directory_unavailable`; nothing has changed then
 */
export async function checkPeople(deps: Platform, directory: Directory): Promise<void> {
  for (let after = ''; ; ) {
    const people = await findPeople(deps.db, directory, after)
    const last = people.at(-1)
    if (!last) return
    const listed = await directory.findListed(people.map(({ subject }) => subject))
    if (listed === null) {
      deps.log.warn(
        `The directory shows no people at all, so nobody is signed out: ${directory.name}. Check its filter for people and the rights of the account that searches.`,
      )
      return
    }
    for (const person of people) {
      const isListed = listed.has(person.subject)
      if (isListed && person.gone_at) await comesBack(deps, directory, person, person.gone_at)
      if (!isListed && !person.gone_at) await leaves(deps, directory, person)
    }
    after = last.subject
  }
}

/** Reactivates a user who has just signed in through the directory, before the next check. */
export async function welcomeBack(deps: Platform, directory: Directory, subject: string): Promise<void> {
  const person = await findPerson(deps.db, directory, subject)
  if (person?.gone_at) await comesBack(deps, directory, person, person.gone_at)
}

/**
 * Removes a leaver's access. An account that depends on the directory alone is deactivated, including API keys, passkeys and mailed
 * links. A user with another way to sign in loses current sessions but may sign in that way.
 */
async function leaves(
  deps: Platform,
  directory: Directory,
  { subject, user_id: userId }: DirectoryPerson,
): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (trx) => {
    const isAlone = await isDirectorysAlone(trx, directory, userId)
    const shutOut = isAlone && (await shutAccount(trx, userId, now))
    if (shutOut) {
      await endTokens({ db: trx }, userId)
      await forgetDevices({ db: trx }, userId)
      await endPending(trx, userId)
    } else await takeWaysIn(trx, userId, now, { keepsIdentities: true })
    await setGone(trx, directory, subject, { at: now, shutOut })
    const did = shutOut ? 'account.deactivated' : 'session.ended'
    await record(deps, trx, { userId, did, directory: 'gone', name: directory.name })
  })
}

async function comesBack(
  deps: Platform,
  directory: Directory,
  { subject, user_id: userId, shut_out: wasShutOut }: DirectoryPerson,
  since: Date,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    await lockRoles(trx)
    await lockAccount(trx, userId)
    if (wasShutOut) await followGroupsBack(deps, trx, userId)
    await setGone(trx, directory, subject, { at: null, shutOut: false })
    if (wasShutOut && (await openAccount(trx, userId, since)))
      await record(deps, trx, {
        ...{ userId, did: 'account.reactivated', directory: 'listed', name: directory.name },
      })
  })
}

async function record(
  { clock }: Pick<Platform, 'clock'>,
  trx: Parameters<typeof writeAudit>[0],
  { userId, did, directory, name }: { userId: string; did: AuditAction; directory: string; name: string },
): Promise<void> {
  const { actor: person, companyId } = await actorById(trx, userId, null)
  const actor = { id: null, name, address: null }
  const subject = { subject: person.name, subjectId: userId }
  const changes = changed('directory', null, directory)
  await writeAudit(trx, clock.now(), { actor, ...subject, companyId, did, changes })
}
