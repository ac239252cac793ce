import { type Access, type May, scopes } from '../../../src/shared/platform/http.ts'
import { anApiKey } from '../api-key.ts'
import type { TestApp } from '../app.ts'
import { aCompany, aToken, aUser, type TestUser } from '../builders.ts'
import { aVisitor } from '../visit.ts'

/** All kinds of callers: the columns of docs/access.md. */
export const people = [
  'owner',
  'colleague',
  'company admin',
  'stranger',
  'admin elsewhere',
  'super admin',
  'anonymous',
  'expired token',
  'revoked token',
  'embed token',
  'API key',
  'visitor',
] as const
export type Who = (typeof people)[number]

export const signedIn: Who[] = [...people.slice(0, 6), 'API key']

/** Callers admitted by each level. */
export const levels: Record<Access, readonly Who[]> = {
  public: people,
  visitor: ['visitor'],
  user: [...signedIn, 'visitor'],
  admin: ['company admin', 'admin elsewhere', 'super admin'],
  super_admin: ['super admin'],
}

/** Returns who has a right to the owner's thing. Assistants are private or shared with the company. */
export function whoMay(wish: May | 'read company', isShared: boolean): readonly Who[] {
  const [right, thing] = wish.split(' ')
  switch (thing) {
    case 'tool':
    case 'tool-set':
      return isShared && right === 'read' ? ['owner', 'colleague', 'company admin'] : ['owner']
    case 'connection':
    case 'database':
    case 'channel':
      return ['super admin']
    case 'user':
    case 'company':
    case 'group':
    case 'invitation':
    case 'member-key':
    case 'member-webhook':
    case 'member-schedule':
      return ['company admin', 'super admin']
    case 'unmanaged-project':
      return ['company admin', 'super admin']
    // Offered to a colleague, who is also the deputy.
    case 'offered-schedule':
    case 'deputy-question':
    // Named by the company.
    case 'approval':
      return ['colleague']
    // Personal here; those of a company are managed by its administrators.
    case 'connector':
      return ['owner']
    case 'announcement':
      return right === 'read' ? ['owner', 'colleague', 'company admin'] : ['company admin', 'super admin']
    case 'assistant':
    case 'prompt':
      if (!isShared) return owner
      return right === 'read' ? [...owner, 'colleague', 'company admin'] : [...owner, 'company admin']
    default:
      return owner
  }
}

/** The owner, and an API key of the owner with every scope. */
const owner: Who[] = ['owner', 'API key']

type House = { owner: TestUser; companyId: string; persons: Record<string, TestUser> }

/** Creates the owner, two users of the same company, two of another, and a super admin of a third. */
export async function fillHouse(app: TestApp): Promise<House> {
  const [companyId, elsewhere] = [await aCompany(app), await aCompany(app)]
  await app.deps.db
    .updateTable('companies')
    .set({ members_share: true })
    .where('id', '=', companyId)
    .execute()
  const owner = await aUser(app, { role: 'member', companyId })
  const persons = {
    owner,
    colleague: await aUser(app, { role: 'member', companyId }),
    'company admin': await aUser(app, { role: 'company_admin', companyId }),
    stranger: await aUser(app, { role: 'member', companyId: elsewhere }),
    'admin elsewhere': await aUser(app, { role: 'company_admin', companyId: elsewhere }),
    'super admin': await aUser(app, { role: 'super_admin' }),
  }
  const identities = Object.values(persons).map(({ id }) => ({
    provider: 'google',
    subject: id,
    user_id: id,
  }))
  await app.deps.db.insertInto('identities').values(identities).execute()
  return { owner, companyId, persons }
}

export type Carried = { headers: Record<string, string>; query: Record<string, string> }

/** Returns the credentials of a caller, with a new token each time, because some routes revoke the token they are called with. */
export async function carriedBy(app: TestApp, { owner, persons }: House, who: Who): Promise<Carried> {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` }, query: {} })
  if (who === 'anonymous') return { headers: {}, query: {} }
  if (who === 'expired token') return bearer(await aToken(app, owner.id, { ended: true }))
  // An `authToken` in a URL never signs anyone in, even if it is the owner's.
  if (who === 'embed token') return { headers: {}, query: { authToken: await aToken(app, owner.id) } }
  if (who === 'API key') return bearer((await anApiKey(app, owner, { scopes: [...scopes] })).secret)
  if (who === 'visitor') return bearer((await aVisitor(app, owner)).token)
  const token = await aToken(app, (persons[who] ?? owner).id)
  if (who !== 'revoked token') return bearer(token)
  await fetchEnd(app, token)
  return bearer(token)
}

async function fetchEnd({ http }: TestApp, token: string): Promise<void> {
  const url = '/api/v1/token'
  await http.inject({ method: 'DELETE', url, headers: { authorization: `Bearer ${token}` } })
}
