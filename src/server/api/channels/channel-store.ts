import { type Kysely, sql } from 'kysely'
import type { Channel, ChannelKind } from '#shared/api/channels/channels.ts'
import { MAX_CHANNELS } from '#shared/api/channels/channels.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Place } from './wire.ts'

type Db = Kysely<Tables>

export type StoredChannel = {
  id: string
  company_id: string
  kind: ChannelKind
  name: string
  is_on: boolean
  address: string
  /** The bot's own id, and the workspace whose people count. */
  app_id: string
  tenant_id: string
  issuer: string
  graph: string
  services: string[]
  secret_sealed: string
  token_sealed: string | null
  workspace: string
  bot: string
  detail: string | null
  paused_until: Date | null
  created_at: Date
}
export type ChannelValues = Omit<StoredChannel, 'id' | 'detail' | 'paused_until' | 'created_at'>

export async function findChannel(db: Db, id: string): Promise<StoredChannel | null> {
  const { rows } = await sql<StoredChannel>`select * from channels where id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Returns the name of the company whose people are matched. */
export async function nameCompany(db: Db, { company_id }: Pick<StoredChannel, 'company_id'>) {
  const { rows } = await sql<{ name: string }>`select name from companies where id = ${company_id}`.execute(
    db,
  )
  return rows[0]?.name ?? null
}

/** Returns the ids of connections with work to do. */
export async function listBusy(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select c.id from channels c
    where c.is_on and coalesce(c.paused_until, '-infinity') <= clock_timestamp() and (
      exists (select from channel_events e where e.channel_id = c.id and e.state in ('waiting', 'answering'))
      or exists (select from channel_posts p where p.channel_id = c.id and p.state in ('waiting', 'started'))
      or exists (select from channel_posts p where p.channel_id = c.id and p.kind = 'question' and p.state = 'posted'
        and p.closed_at is null))
    order by c.id limit 1000`.execute(db)
  return rows.map(({ id }) => id)
}

/** Inserts a connection; null when there are as many as one may have. */
export async function insertChannel(trx: Db, values: ChannelValues): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended('channels', 0))`.execute(trx)
  const { rows } = await sql<{ id: string }>`
    insert into channels (company_id, kind, name, is_on, address, app_id, tenant_id, issuer, graph, services, secret_sealed, token_sealed, workspace, bot)
    select ${values.company_id}::uuid, ${values.kind}, ${values.name}, ${values.is_on}, ${values.address}, ${values.app_id},
      ${values.tenant_id}, ${values.issuer}, ${values.graph}, ${values.services}::text[], ${values.secret_sealed},
      ${values.token_sealed}, ${values.workspace}, ${values.bot}
    where (select count(*) from channels) < ${MAX_CHANNELS} returning id`.execute(trx)
  return rows[0]?.id ?? null
}

/** Changes a connection. People and members are listed again, because another workspace may have other ones. */
export async function updateChannel(trx: Db, id: string, values: ChannelValues): Promise<void> {
  await sql`update channels set company_id = ${values.company_id}, name = ${values.name}, is_on = ${values.is_on},
    address = ${values.address}, app_id = ${values.app_id}, tenant_id = ${values.tenant_id},
    issuer = ${values.issuer}, graph = ${values.graph}, services = ${values.services}::text[], secret_sealed = ${values.secret_sealed},
    token_sealed = ${values.token_sealed}, workspace = ${values.workspace}, bot = ${values.bot}, detail = null, paused_until = null
    where id = ${id}`.execute(trx)
  await sql`update channel_places set members_read_at = null where channel_id = ${id}`.execute(trx)
  await sql`update channel_people set read_at = '-infinity' where channel_id = ${id}`.execute(trx)
}

/** Removes a connection. Returns its name; null for an unknown one. */
export async function deleteChannel(trx: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`delete from channels where id = ${id} returning name`.execute(
    trx,
  )
  return rows[0]?.name ?? null
}

/** Notes what the service last refused, or that it works. */
export async function noteState(db: Db, id: string, detail: string | null, waitSeconds = 0): Promise<void> {
  await sql`update channels set detail = ${detail},
      paused_until = case when ${waitSeconds} > 0 then clock_timestamp() + ${waitSeconds} * interval '1 second' end
    where id = ${id} and (detail is distinct from ${detail} or paused_until is not null or ${waitSeconds} > 0)`.execute(
    db,
  )
}

type NewPlace = { foreign_id: string; name: string; assistant_id: string | null }

/** Replaces the places of a connection. Threads of places that stay keep them. */
export async function writePlaces(trx: Db, channelId: string, places: readonly NewPlace[]): Promise<void> {
  const ids = places.map(({ foreign_id }) => foreign_id)
  await sql`delete from channel_places where channel_id = ${channelId} and foreign_id <> all(${ids}::text[])`.execute(
    trx,
  )
  for (const { foreign_id, name, assistant_id } of places)
    await sql`insert into channel_places (channel_id, foreign_id, name, assistant_id)
      values (${channelId}, ${foreign_id}, ${name}, ${assistant_id})
      on conflict (channel_id, foreign_id) do update set name = excluded.name, assistant_id = excluded.assistant_id`.execute(
      trx,
    )
}

export async function listPlaceNames(db: Db, channelId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select p.name || coalesce(': ' || a.name, '') as name from channel_places p left join assistants a on a.id = p.assistant_id
    where p.channel_id = ${channelId} order by p.name, p.id limit 1000`.execute(db)
  return rows.map(({ name }) => name)
}

/** Returns the newest thread of each conversation, for those that a bot was mentioned in. */
export async function listSeen(db: Db, channelId: string): Promise<Place[]> {
  const { rows } =
    await sql<Place>`select distinct on (conversation) conversation, root, service, team, directory_id
    from channel_threads where channel_id = ${channelId} and not is_direct
    order by conversation, created_at desc limit 200`.execute(db)
  return rows
}

type Row = Omit<Channel, 'created_at' | 'events_url' | 'actions_url'> & { created_at: Date }

/** Returns connections as administrators see them, by name. */
export async function listShown(db: Db, id: string | null = null): Promise<Row[]> {
  const day = sql`e.channel_id = c.id and e.received_at > clock_timestamp() - interval '1 day'`
  const lost = sql`channel_posts p where p.channel_id = c.id and p.state in ('failed', 'unknown')
    and p.created_at > clock_timestamp() - interval '1 day'`
  const isUser = sql`exists (select from users u join company_members m on m.user_id = u.id and m.company_id = c.company_id
    where lower(u.email) = p.address and u.email_verified_at is not null and u.deactivated_at is null)`
  const { rows } = await sql<Row>`
    select c.id, c.kind, c.name, c.app_id, c.tenant_id, c.issuer, c.graph, c.services, json_build_object('id', co.id, 'name', co.name) as company, c.address, c.is_on, c.workspace, c.bot,
      c.detail, c.created_at,
      (select coalesce(json_agg(json_build_object('foreign_id', p.foreign_id, 'name', p.name, 'assistant_id', p.assistant_id,
          'assistant_name', a.name, 'members', case when p.members_read_at is not null then cardinality(p.member_ids) end,
          'threads', (select count(*)::int from channel_threads t where t.place_id = p.id
            and t.created_at > clock_timestamp() - interval '30 days')) order by p.foreign_id = 'direct', p.name, p.id), '[]')
        from channel_places p left join assistants a on a.id = p.assistant_id where p.channel_id = c.id) as places,
      (select json_build_object('events', count(*)::int, 'repeated', coalesce(sum(e.times - 1), 0)::int,
          'waiting', (count(*) filter (where e.state in ('waiting', 'answering')))::int,
          'failed', (count(*) filter (where e.state = 'failed'))::int,
          'unsent', (select count(*)::int from ${lost} and p.state = 'failed'),
          'unsure', (select count(*)::int from ${lost} and p.state = 'unknown'),
          'unsent_detail', (select p.detail from ${lost} order by p.created_at desc, p.id limit 1))
        from channel_events e where ${day}) as day,
      (select json_build_object('users', (count(*) filter (where ${isUser}))::int,
          'strangers', (count(*) filter (where not ${isUser}))::int)
        from channel_people p where p.channel_id = c.id and not p.is_bot) as people
    from channels c join companies co on co.id = c.company_id
    where ${id}::uuid is null or c.id = ${id} order by lower(c.name), c.id limit ${MAX_CHANNELS}`.execute(db)
  return rows
}

/** Returns which of these assistants exist. */
export async function findAssistantIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from assistants where id = any(${[...ids]}::uuid[]) order by id limit 1000`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
