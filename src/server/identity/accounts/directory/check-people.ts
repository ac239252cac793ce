import type { AuditAction } from '#shared/identity/audit/audit.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorById, changed, writeAudit } from '../../audit/audit.ts'
import { forgetDevices } from '../device-store.ts'
import { takeWaysIn } from '../hand-over/hand-over.ts'
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

/** Registers the job that looks for users who left the directory. */
export function registerDirectoryCheck(deps: Platform, directory: Directory): void {
  const minutes = deps.config.LDAP_CHECK_MINUTES
  if (minutes === 0) return
  const cron = minutes === 60 ? '23 * * * *' : `*/${minutes} * * * *`
  // An unreachable directory signs no one out. The failure is logged and the next check runs as usual.
  const check = () => checkPeople(deps, directory).catch(() => undefined)
  deps.jobs.register(jobName, check, { cron })
}

/**
 * Deactivates users whom the directory no longer lists or has disabled, and reactivates those it lists again.
 * @throws AppError `directory_unavailable`; nothing has changed then
 */
export async function checkPeople(deps: Platform, directory: Directory): Promise<void> {
  const base = deps.config.LDAP_SEARCH_BASE ?? ''
  for (let after = ''; ; ) {
    const people = await findPeople(deps.db, base, after)
    const last = people.at(-1)
    if (!last) return
    const listed = await directory.findListed(people.map(({ subject }) => subject))
    if (listed === null) {
      deps.log.warn(
        'The directory shows no people at all, so nobody is signed out. Check LDAP_USER_FILTER and the rights of LDAP_BIND_DN.',
      )
      return
    }
    for (const person of people) {
      const isListed = listed.has(person.subject)
      if (isListed && person.gone_at) await comesBack(deps, person, person.gone_at)
      if (!isListed && !person.gone_at) await leaves(deps, person)
    }
    after = last.subject
  }
}

/** Reactivates a user who has just signed in through the directory, before the next check. */
export async function welcomeBack(deps: Platform, subject: string): Promise<void> {
  const person = await findPerson(deps.db, subject)
  if (person?.gone_at) await comesBack(deps, person, person.gone_at)
}

/**
 * Removes a leaver's access. An account that depends on the directory alone is deactivated, including API keys, passkeys and mailed
 * links. A user with another way to sign in loses current sessions but may sign in that way.
 */
async function leaves(deps: Platform, { subject, user_id: userId }: DirectoryPerson): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (trx) => {
    const isAlone = await isDirectorysAlone(trx, userId)
    const shutOut = isAlone && (await shutAccount(trx, userId, now))
    if (shutOut) {
      await endTokens({ db: trx }, userId)
      await forgetDevices({ db: trx }, userId)
      await endPending(trx, userId)
    } else await takeWaysIn(trx, userId, now, { keepsIdentities: true })
    await setGone(trx, subject, { at: now, shutOut })
    await record(deps, trx, userId, shutOut ? 'account.deactivated' : 'session.ended', 'gone')
  })
}

async function comesBack(
  deps: Platform,
  { subject, user_id: userId, shut_out: wasShutOut }: DirectoryPerson,
  since: Date,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    await lockAccount(trx, userId)
    await setGone(trx, subject, { at: null, shutOut: false })
    if (wasShutOut && (await openAccount(trx, userId, since)))
      await record(deps, trx, userId, 'account.reactivated', 'listed')
  })
}

async function record(
  { clock }: Pick<Platform, 'clock'>,
  trx: Parameters<typeof writeAudit>[0],
  userId: string,
  did: AuditAction,
  directory: string,
): Promise<void> {
  const { actor: person, companyId } = await actorById(trx, userId, null)
  const actor = { id: null, name: 'LDAP', address: null }
  const subject = { subject: person.name, subjectId: userId }
  const changes = changed('directory', null, directory)
  await writeAudit(trx, clock.now(), { actor, ...subject, companyId, did, changes })
}
