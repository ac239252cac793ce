import type * as contract from '#shared/identity/grants/grants.ts'
import { AppError } from '#shared/platform/errors.ts'
import { findAllowed, reaches } from '../../platform/access/access.ts'
import type { Call } from '../../platform/http/serve.ts'
import { actorOf, changed, writeAudit } from '../audit/audit.ts'
import { type GrantDeps, listThings } from './list-things.ts'
import { findDecided, findGrants, findNamed, type Named, replaceGrants } from './store.ts'

type Wish = Pick<Call<typeof contract.setGrants>, 'user' | 'body' | 'request'>

/**
 * Sets the grants of a thing. @throws AppError `forbidden` for another company, or for the whole installation unless a super admin,
 * `not_found` for unknown things, `invalid` for grantees outside of the caller's reach
 */
export async function setGrants(
  deps: GrantDeps,
  { user, body, request }: Wish,
): Promise<contract.GrantedThing> {
  const { db, clock } = deps
  const { kind, id, decided_by } = body
  if (decided_by !== null) await findAllowed(db, user, 'manage company', decided_by)
  else if (!reaches(user, 'super_admin'))
    throw new AppError(
      'forbidden',
      'Only a super admin decides for the whole house. Decide for your company.',
    )
  const thing = (await listThings(deps, user, kind)).find((one) => one.id === id)
  if (!thing) throw new AppError('not_found', 'There is nothing of this kind by this name to decide about.')
  const named = readNamed(body)
  await assertNameable(deps, decided_by, named)
  const changes = await db.transaction().execute(async (trx) => {
    const before = await findDecided(trx, { kind, thing: id, decided_by })
    await replaceGrants(trx, { kind, thing: id, decided_by }, named)
    const after = await findDecided(trx, { kind, thing: id, decided_by })
    const changes = [
      ...changed('may_use', before.allow, after.allow),
      ...changed('may_not_use', before.refuse, after.refuse),
    ]
    const entry = {
      actor: actorOf(user, request),
      subject: `${kind}: ${thing.name}`,
      companyId: decided_by,
      changes,
    }
    if (changes.length > 0) await writeAudit(trx, clock.now(), { ...entry, did: 'grants.changed' })
    return changes
  })
  if (changes.length > 0) deps.grants.forget()
  return { ...thing, grants: (await findGrants(db, user, kind, [id])).get(id) ?? [] }
}

/** @throws AppError `invalid` for who is named twice */
function readNamed({ allow, refuse }: Pick<Wish['body'], 'allow' | 'refuse'>): Named[] {
  const named: Named[] = [
    ...allow.map((one) => ({ ...one, effect: 'allow' as const })),
    ...refuse.map((one) => ({ ...one, effect: 'refuse' as const })),
  ]
  const once = new Set(named.map(({ who, id }) => `${who}:${id}`))
  if (once.size === named.length) return named
  throw new AppError(
    'invalid',
    'Name everybody once: among those who may use it, or among those who may not.',
  )
}

/** @throws AppError `invalid` for a company or group that is not there, or not this decider's to name */
async function assertNameable({ db }: GrantDeps, decidedBy: string | null, named: Named[]): Promise<void> {
  const idsOf = (wanted: Named['who']) => named.flatMap(({ who, id }) => (who === wanted ? [id] : []))
  const [companies, groups] = [idsOf('company'), idsOf('group')]
  const found = await findNamed(db, decidedBy, { companies, groups })
  if ([...companies, ...groups].every((id) => found.has(id))) return
  const whose = decidedBy === null ? 'there are' : 'your company has'
  throw new AppError('invalid', `Name companies and groups that ${whose}.`)
}
