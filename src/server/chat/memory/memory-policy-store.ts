import { type Kysely, sql } from 'kysely'
import type { MemorySettings, MemorySwitch, Proposals } from '#shared/chat/memory/memory.ts'
import { may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Switches of memory for a person in a chat, and the project whose facts the chat uses. */
export type MemoryPolicy = {
  account: boolean
  chat: boolean
  assistant: boolean
  off_providers: string[]
  proposals: Proposals
  /** False for temporary chats, trials, and chats of programs and visitors. */
  is_usual: boolean
  /** Members of the project read the chat, so that it uses facts of the project only. */
  is_shared: boolean
  project: { id: string; name: string; can_add: boolean } | null
}

type Place = { sessionId: string; assistantId: string | null }

/** Returns the policy of a chat. Null when the chat is gone, for visitors and in channels. */
export async function loadPolicy(
  db: Db,
  person: Person,
  { sessionId, assistantId }: Place,
): Promise<MemoryPolicy | null> {
  // Facts about a person are nothing for the members of a channel.
  if (person.kind === 'visitor' || person.audience) return null
  const off = sql`from memory_switches off where off.user_id = ${person.id}`
  const { rows } = await sql<MemoryPolicy>`
    select coalesce(settings.is_on, true) as account, coalesce(settings.proposals, 'ask') as proposals,
      not exists (select ${off} and off.session_id = chat.id) as chat,
      not exists (select ${off} and off.assistant_id = ${assistantId}::uuid) as assistant,
      array(select off.provider ${off} and off.provider is not null order by off.provider limit 1000) as off_providers,
      chat.origin = 'chat' as is_usual, chat.shared_with_project as is_shared,
      case when w.id is null then null else json_build_object('id', w.id, 'name', w.name,
        'can_add', ${may(person, 'write workspace', 'w')}) end as project
    from sessions chat
    left join memory_settings settings on settings.user_id = ${person.id}
    left join workspaces w on w.id = chat.workspace_id and ${may(person, 'read workspace', 'w')}
    where chat.id = ${sessionId} and ${may(person, 'read session', 'chat')}`.execute(db)
  return rows[0] ?? null
}

/** Returns the provider of a model id such as `openai/gpt-5.2`. */
export const providerOf = (model: string): string => model.split('/', 1)[0] ?? model

/** Returns whether memory is read and written in a chat with a model. The strictest switch decides. */
export const isOn = (policy: MemoryPolicy, model: string): boolean =>
  policy.is_usual &&
  policy.account &&
  policy.chat &&
  policy.assistant &&
  !policy.off_providers.includes(providerOf(model))

/** Returns the settings of a person. */
export async function readSettings(db: Db, person: Person): Promise<MemorySettings> {
  const { rows } = await sql<Omit<MemorySettings, 'refused'>>`
    select coalesce(settings.is_on, true) as is_on, coalesce(settings.proposals, 'ask') as proposals,
      json_build_object(
        'assistants', array(select assistant_id from memory_switches where user_id = u.id and assistant_id is not null
          order by assistant_id limit 1000),
        'providers', array(select provider from memory_switches where user_id = u.id and provider is not null
          order by provider limit 1000)) as off,
      (select json_build_object(
          'kept', count(*) filter (where f.state = 'kept'),
          'proposed', count(*) filter (where f.state = 'proposed' and f.user_id = ${person.id}))
        from facts f where f.state <> 'replaced' and ${may(person, 'read fact', 'f')}) as counts
    from users u left join memory_settings settings on settings.user_id = u.id where u.id = ${person.id}`.execute(
    db,
  )
  const { rows: refused } = await sql<MemorySettings['refused'][number] & { created_at: Date }>`
    select r.id, r.reason, r.created_at,
      case when s.id is null then null else json_build_object('id', s.id, 'title', s.title) end as chat
    from refused_facts r left join sessions s on s.id = r.session_id and ${may(person, 'read session', 's')}
    where r.user_id = ${person.id} order by r.created_at desc, r.id limit 20`.execute(db)
  const [settings] = rows
  if (!settings) throw new Error('a caller without a row')
  return {
    ...settings,
    refused: refused.map(({ id, reason, created_at, chat }) => ({
      id,
      reason,
      at: created_at.toISOString(),
      chat,
    })),
  }
}

/** Changes the settings of a person. Absent fields stay. */
export async function changeSettings(
  trx: Db,
  userId: string,
  { is_on, proposals }: { is_on?: boolean | undefined; proposals?: Proposals | undefined },
): Promise<void> {
  await sql`
    insert into memory_settings as settings (user_id, is_on, proposals)
    values (${userId}, ${is_on ?? true}, ${proposals ?? 'ask'})
    on conflict (user_id) do update set
      is_on = coalesce(${is_on ?? null}::boolean, settings.is_on),
      proposals = coalesce(${proposals ?? null}::text, settings.proposals)`.execute(trx)
}

/** Turns memory on or off for one chat, assistant or provider. */
export async function changeSwitch(trx: Db, userId: string, change: MemorySwitch): Promise<void> {
  const { session_id = null, assistant_id = null, provider = null, is_on } = change
  if (is_on)
    await sql`delete from memory_switches where user_id = ${userId}
      and (session_id = ${session_id}::uuid or assistant_id = ${assistant_id}::uuid or provider = ${provider}::text)`.execute(
      trx,
    )
  else
    await trx
      .insertInto('memory_switches')
      .values({ user_id: userId, session_id, assistant_id, provider })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Notes that a proposal was refused: the kind of secret and the chat, never the words. Keeps the newest 100. */
export async function noteRefused(trx: Db, userId: string, reason: string, sessionId: string): Promise<void> {
  await trx.insertInto('refused_facts').values({ user_id: userId, reason, session_id: sessionId }).execute()
  await sql`
    delete from refused_facts where user_id = ${userId} and id not in (
      select id from refused_facts where user_id = ${userId} order by created_at desc, id limit 100)`.execute(
    trx,
  )
}
