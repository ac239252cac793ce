import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { TestApp } from '../app.ts'
import { aUser, type TestUser } from '../builders.ts'

/** Connects an account of the owner for tickets. */
export async function aPersonalAccount({ deps }: TestApp, { id }: TestUser): Promise<string> {
  const sealed = deps.secrets.seal('{}')
  await sql`insert into personal_accounts values (${id}, 'jira', 'ada@example.com', ${sealed}, now())
    on conflict do nothing`.execute(deps.db)
  return id
}

/** Creates an unused budget of the owner. */
export async function aBudget({ deps: { db } }: TestApp, { id: user_id }: TestUser): Promise<string> {
  const values = {
    kind: 'user' as const,
    user_id,
    period: 'month' as const,
    amount: 1_000_000,
    since: '2026-01-01',
  }
  await db.deleteFrom('budgets').where('user_id', '=', user_id).execute()
  return (await db.insertInto('budgets').values(values).returning('id').executeTakeFirstOrThrow()).id
}

/** Creates a sign-in and a media ticket for a document. */
export async function aSignIn(
  { deps: { db, clock, secrets } }: TestApp,
  { id: user_id }: TestUser,
  { documentId: id }: { documentId: string },
): Promise<{ signInId: string; ticket: string }> {
  const times = { created_at: clock.now(), last_used_at: clock.now(), expires_at: new Date(4e12) }
  const values = { token_hash: randomBytes(32), user_id, ...times }
  const made = await db.insertInto('access_tokens').values(values).returning('id').executeTakeFirstOrThrow()
  const signIn = values.token_hash.toString('base64url')
  const ticket = secrets.seal(JSON.stringify({ id, version: 1, signIn, until: 4e12 }))
  return { signInId: made.id, ticket }
}

export async function anInvitation({ deps }: TestApp, owner: TestUser, company_id: string): Promise<string> {
  const row = {
    ...{ company_id, role: 'member' as const, email: 'ines@example.com', invited_by: owner.id },
    ...{ created_at: deps.clock.now(), expires_at: new Date(4e12) },
  }
  const made = await deps.db.insertInto('invitations').values(row).returning('id').executeTakeFirstOrThrow()
  return made.id
}

/** Creates a colleague of the owner who makes no calls, so that changes to their account affect no others. */
export async function aBystander(app: TestApp, companyId: string): Promise<string> {
  const { db } = app.deps
  const username = `bystander-${companyId.slice(0, 8)}`
  const known = db.updateTable('users').set({ deactivated_at: null }).where('username', '=', username)
  const found = await known.returning('id').executeTakeFirst()
  return found?.id ?? (await aUser(app, { role: 'member', companyId, username })).id
}

/** Creates an access to the owner's chats for each super admin. The caller's own is the newest. */
export async function aChatAccess(
  { deps: { db } }: TestApp,
  owner: TestUser,
  bystander: string,
): Promise<string> {
  const roots = db.selectFrom('company_members').select('user_id').where('role', '=', 'super_admin')
  const [root] = await roots.orderBy('user_id').limit(1).execute()
  // The table calls a route twice for the same user, and an access that is still open would interfere.
  await db.deleteFrom('chat_accesses').where('user_id', '=', bystander).execute()
  const row = {
    user_id: owner.id,
    admin_id: root?.user_id ?? null,
    admin_name: 'Root',
    reason: 'They asked.',
  }
  const times = { created_at: new Date(), expires_at: new Date(4e12) }
  const made = db
    .insertInto('chat_accesses')
    .values({ ...row, ...times })
    .returning('id')
  return (await made.executeTakeFirstOrThrow()).id
}

export async function aPasskey({ deps }: TestApp, owner: TestUser): Promise<string> {
  const row = {
    ...{ user_id: owner.id, credential_id: randomUUID(), name: 'Notebook', public_key: Buffer.from('x') },
    ...{ counter: 0, created_at: deps.clock.now() },
  }
  const made = await deps.db.insertInto('passkeys').values(row).returning('id').executeTakeFirstOrThrow()
  return made.id
}
