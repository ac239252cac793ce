import { type Kysely, sql } from 'kysely'
import { withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** Maximum messages read of a quoted chat. */
const MAX_MESSAGES = 200

/**
 * Returns the end of the branch that a chat shows, at most `limit` characters, oldest first. A message that does not fit is cut at its
 * beginning.
 */
export async function readEnd(db: Kysely<Tables>, leafId: string, limit: number): Promise<string> {
  const { rows } = await sql<{ role: string; content: string }>`
    with recursive path as (
      select id, parent_id, 0 as depth from messages where id = ${leafId}
      union all
      select parent.id, parent.parent_id, depth + 1 from path join messages parent on parent.id = path.parent_id
      where depth < ${MAX_MESSAGES}
    )
    select m.role, right(m.content, ${limit}) as content from path join messages m on m.id = path.id
    order by path.depth limit ${MAX_MESSAGES}`.execute(db)
  const told: string[] = []
  let left = limit
  for (const { role, content } of rows) {
    const text = withoutCitations(content).trim()
    if (text === '') continue
    if (left <= 0) break
    told.unshift(`${role === 'user' ? 'Person' : 'Assistant'}: ${text.slice(-left)}`)
    left -= text.length
  }
  return told.join('\n\n')
}

type People = { userId: string; sessionId: string; words: readonly string[]; limit: number }

/** Selects the projects of a person, those of their groups included. */
const projectsOf = (userId: string | null) => sql`(
  select id from workspaces where user_id = ${userId}
  union select workspace_id from workspace_members where person_id = ${userId}
  union select m.workspace_id from group_members g join workspace_members m on m.group_id = g.group_id
    where g.user_id = ${userId})`

/** Returns the name of another person of one of the caller's projects; null for anybody else. */
export async function findColleague(
  db: Kysely<Tables>,
  { id }: { id?: string },
  personId: string,
): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(nullif(trim(u.full_name), ''), u.username) as name from users u
    where u.id = ${personId} and u.id <> ${id ?? null} and u.deactivated_at is null and exists (
      ${projectsOf(id ?? null)} intersect ${projectsOf(personId)})`.execute(db)
  return rows[0]?.name ?? null
}

/** Returns the other people of the project that a chat is shared with, by name. */
export async function findMentionable(
  db: Kysely<Tables>,
  { userId, sessionId, words, limit }: People,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select u.id, coalesce(nullif(trim(u.full_name), ''), u.username) as name
    from sessions s cross join lateral people_of_project(s.workspace_id) member (id) join users u on u.id = member.id
    where s.id = ${sessionId} and s.shared_with_project and u.id <> ${userId} and u.deactivated_at is null
      and not exists (select from unnest(${[...words]}::text[]) word
        where strpos(lower(coalesce(u.full_name, '') || ' ' || u.username), lower(word)) = 0)
    order by 2, 1 limit ${limit}`.execute(db)
  return rows
}
