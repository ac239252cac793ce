import { createHash, randomBytes } from 'node:crypto'
import type { AllDeps } from '../../src/server/feature.ts'
import { nameSkeleton } from '../../src/server/identity/accounts/accounts.ts'

export type TestUser = {
  id: string
  username: string
  email: string
  token: string
  /** Request headers of this user. */
  headers: { authorization: string }
}

type App = { deps: Pick<AllDeps, 'db' | 'clock'> }
type Role = 'super_admin' | 'company_admin' | 'member'

/**
 * Creates a signed-in user. With a role, in a new company (or in `companyId`). `balance` is in dollars. Without `workingMemory`
 * a scripted model gets no further calls after a reply.
 */
export async function aUser(
  { deps }: App,
  {
    role,
    companyId,
    verified = true,
    balance,
    beta = false,
    workingMemory = false,
    username = `user-${randomBytes(4).toString('hex')}`,
  }: {
    role?: Role
    companyId?: string
    verified?: boolean
    balance?: number
    beta?: boolean
    workingMemory?: boolean
    username?: string
  } = {},
): Promise<TestUser> {
  const email = `${username}@example.com`
  const preferences = workingMemory ? undefined : JSON.stringify({ working_memory: false })
  const { id } = await deps.db
    .insertInto('users')
    .values({
      ...{
        username,
        name_skeleton: nameSkeleton(username),
        email,
        email_verified_at: verified ? new Date() : null,
        beta_access: beta,
        preferences,
      },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (role) await join({ deps }, id, role, companyId)
  if (balance !== undefined) {
    await deps.db
      .insertInto('ledger_entries')
      .values({ user_id: id, kind: 'start', amount: balance })
      .execute()
  }
  const token = await aToken({ deps }, id)
  return { id, username, email, token, headers: { authorization: `Bearer ${token}` } }
}

/** Creates an access token of a user; `ended`: one that expired a minute ago. */
export async function aToken(
  { deps }: App,
  userId: string,
  { ended = false }: { ended?: boolean } = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = deps.clock.now()
  await deps.db
    .insertInto('access_tokens')
    .values({
      token_hash: createHash('sha256').update(token).digest(),
      user_id: userId,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + (ended ? -60_000 : 30 * 86_400_000)),
    })
    .execute()
  return token
}

async function join({ deps }: App, userId: string, role: Role, companyId?: string): Promise<void> {
  const company_id = companyId ?? (await aCompany({ deps }))
  await deps.db.insertInto('company_members').values({ company_id, user_id: userId, role }).execute()
}

/** Creates a company and returns its id. */
export async function aCompany({ deps }: App, name = 'Atelier'): Promise<string> {
  const row = await deps.db.insertInto('companies').values({ name }).returning('id').executeTakeFirstOrThrow()
  return row.id
}

/** Creates a session with `turns` questions and answers. The newest answer is active. */
export async function aSession(
  app: App,
  user: { id: string },
  {
    title = 'New session',
    turns = 0,
    metadata = {},
    modelName = null,
    updatedAt,
  }: {
    title?: string
    turns?: number
    metadata?: Record<string, unknown>
    modelName?: string | null
    updatedAt?: Date
  } = {},
): Promise<{ id: string; messageIds: string[] }> {
  const { id } = await app.deps.db
    .insertInto('sessions')
    .values({
      user_id: user.id,
      title,
      model_name: modelName,
      session_metadata: JSON.stringify(metadata),
      ...(updatedAt ? { created_at: updatedAt, updated_at: updatedAt } : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const messageIds: string[] = []
  for (let turn = 1; turn <= turns; turn += 1) {
    const question = await aMessage(app, id, { parentId: messageIds.at(-1), content: `Question ${turn}` })
    const answer = await aMessage(app, id, {
      parentId: question.id,
      role: 'assistant',
      content: `Answer ${turn}`,
    })
    messageIds.push(question.id, answer.id)
  }
  return { id, messageIds }
}

/** Creates a message below `parentId`, or a first message. It becomes the active leaf. */
export async function aMessage(
  { deps }: App,
  sessionId: string,
  {
    parentId,
    role = 'user',
    content = 'Hello',
    blocks = [],
    status = 'completed',
    agentType = role === 'assistant' ? 'multi_turn' : null,
    metadata = {},
    createdAt,
  }: {
    parentId?: string | null
    role?: 'user' | 'assistant'
    content?: string
    blocks?: unknown[]
    status?: 'streaming' | 'completed' | 'error'
    agentType?: string | null
    metadata?: Record<string, unknown>
    createdAt?: Date
  } = {},
): Promise<{ id: string }> {
  const message = await deps.db
    .insertInto('messages')
    .values({
      session_id: sessionId,
      parent_id: parentId ?? null,
      role,
      content,
      agent_type: agentType,
      status,
      blocks: JSON.stringify(blocks),
      metadata: JSON.stringify(metadata),
      ...(createdAt ? { created_at: createdAt } : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await deps.db.updateTable('sessions').set({ active_leaf: message.id }).where('id', '=', sessionId).execute()
  return message
}

/** Stores a belief after the reply `messageId`, as its run would. Its entries come from that reply. */
export async function aBelief(
  { deps }: App,
  user: { id: string },
  {
    messageId,
    ...texts
  }: { messageId: string; goals?: string[]; facts?: string[]; open_questions?: string[] },
): Promise<void> {
  const { id: runId } = await deps.db
    .insertInto('runs')
    .values({ user_id: user.id, agent_type: 'multi_turn', agent_version: 1, state: 'completed' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const entries = (list: string[] = []) => list.map((text) => ({ text, message_id: messageId }))
  const { goals, facts, open_questions } = texts
  const content = { goals: entries(goals), facts: entries(facts), open_questions: entries(open_questions) }
  await deps.db
    .insertInto('beliefs')
    .values({ run_id: runId, message_id: messageId, content: JSON.stringify(content) })
    .execute()
}
