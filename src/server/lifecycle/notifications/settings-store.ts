import { type Kysely, sql } from 'kysely'
import {
  type NotificationChannel,
  type NotificationKind,
  notificationChannels,
  notificationKinds,
} from '#shared/lifecycle/notifications/kinds.ts'
import type {
  NotificationSettings,
  NotificationSettingsChange,
} from '#shared/lifecycle/notifications/notifications.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type StoredSettings = Omit<NotificationSettings, 'can_mail'>

type Row = Omit<StoredSettings, 'switches' | 'quiet'> & {
  quiet_from: number | null
  quiet_until: number | null
}
type Switch = { kind: NotificationKind; channel: NotificationChannel; is_on: boolean }

/** Returns the person's settings, or the defaults. Mails of announcements have a preference of their own. */
export async function findSettings(db: Db, userId: string): Promise<StoredSettings> {
  const { rows } = await sql<Row>`
    select own.quiet_from, own.quiet_until, coalesce(own.quiet_weekends, false) as quiet_weekends,
      coalesce(own.time_zone, 'UTC') as time_zone, coalesce(own.only_away, true) as only_away, own.digest_at,
      coalesce(own.shows_content, false) as shows_content,
      exists (select from company_members m join companies c on c.id = m.company_id
        where m.user_id = u.id and c.mails_show_content) as company_shows_content
    from users u left join notification_settings own on own.user_id = u.id where u.id = ${userId}`.execute(db)
  const { rows: switches } = await sql<Switch>`
    select kind, channel, case when kind = 'announcement' and channel = 'mail'
      then u.preferences ->> 'announcement_mails' is distinct from 'false'
      else is_notified_by(u.id, kind, channel) end as is_on
    from users u, unnest(${[...notificationKinds]}::text[]) kind, unnest(${[...notificationChannels]}::text[]) channel
    where u.id = ${userId} order by kind, channel limit 100`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`user ${userId} is gone`)
  const { quiet_from, quiet_until, ...plain } = row
  const quiet = quiet_from === null || quiet_until === null ? null : { from: quiet_from, until: quiet_until }
  return { ...plain, quiet, switches: toSwitches(switches) }
}

function toSwitches(rows: Switch[]): StoredSettings['switches'] {
  const made: Record<string, Record<string, boolean>> = {}
  for (const { kind, channel, is_on } of rows) made[kind] = { ...made[kind], [channel]: is_on }
  return made as StoredSettings['switches']
}

/** Changes the given settings; the others stay, also those that another browser changes. */
export async function changeSettings(
  trx: Db,
  userId: string,
  change: NotificationSettingsChange,
): Promise<void> {
  await sql`insert into notification_settings (user_id) values (${userId}) on conflict do nothing`.execute(
    trx,
  )
  const switches: Record<string, boolean> = {}
  for (const { kind, channel, is_on } of change.switches ?? []) switches[`${kind}.${channel}`] = is_on
  const set = (name: string, value: unknown, type: string) =>
    value === undefined ? [] : [sql`${sql.ref(name)} = ${value}::${sql.raw(type)}`]
  const quiet = change.quiet === null ? { from: null, until: null } : change.quiet
  const parts = [
    sql`switches = switches || ${JSON.stringify(switches)}::jsonb`,
    ...set('quiet_from', quiet?.from, 'smallint'),
    ...set('quiet_until', quiet?.until, 'smallint'),
    ...set('quiet_weekends', change.quiet_weekends, 'boolean'),
    ...set('time_zone', change.time_zone, 'text'),
    ...set('only_away', change.only_away, 'boolean'),
    ...set('digest_at', change.digest_at, 'smallint'),
    ...set('shows_content', change.shows_content, 'boolean'),
  ]
  await sql`update notification_settings set ${sql.join(parts)} where user_id = ${userId}`.execute(trx)
  const announcements = switches['announcement.mail']
  if (announcements === undefined) return
  await sql`update users set preferences = coalesce(preferences, '{}')
    || jsonb_build_object('announcement_mails', ${announcements}::boolean) where id = ${userId}`.execute(trx)
}

/** Stops mails of one kind, or all of them for `digest`. Returns false when the person is gone. */
export async function stopMails(db: Db, userId: string, kind: NotificationKind | 'digest'): Promise<boolean> {
  const kinds = kind === 'digest' ? notificationKinds.filter((one) => one !== 'announcement') : [kind]
  const switches = Object.fromEntries(kinds.map((one) => [`${one}.mail`, false]))
  const { numAffectedRows } = await sql`
    insert into notification_settings (user_id, switches) select id, ${JSON.stringify(switches)}::jsonb from users where id = ${userId}
    on conflict (user_id) do update set switches = notification_settings.switches || excluded.switches`.execute(
    db,
  )
  return numAffectedRows === 1n
}
