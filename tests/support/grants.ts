import type { Grant, ThingKind } from '../../src/shared/identity/grants/decide.ts'
import type { TestApp } from './app.ts'

type Said = Partial<Pick<Grant, 'decided_by' | 'effect'>> & Pick<Grant, 'who' | 'id'>

/** Replaces all grants of a thing, as if they had always been so. */
export async function decideOn(
  { deps }: Pick<TestApp, 'deps'>,
  thing: { kind: ThingKind; id: string },
  said: Said[],
): Promise<void> {
  const { db, grants } = deps
  await db.deleteFrom('grants').where('kind', '=', thing.kind).where('thing', '=', thing.id).execute()
  for (const { who, id, effect = 'allow', decided_by = null } of said)
    await db
      .insertInto('grants')
      .values({
        ...{ kind: thing.kind, thing: thing.id, decided_by, effect, who },
        ...{ role: who === 'role' ? id : null, company_id: who === 'company' ? id : null },
        group_id: who === 'group' ? id : null,
      })
      .execute()
  grants.forget()
}

/** Closes a thing to everyone. */
export const closeToAll = (app: Pick<TestApp, 'deps'>, kind: ThingKind, id: string) =>
  decideOn(app, { kind, id }, [{ who: 'nobody', id: '' }])

/** Opens it to everyone again. */
export const openToAll = (app: Pick<TestApp, 'deps'>, kind: ThingKind, id: string) =>
  decideOn(app, { kind, id }, [])
