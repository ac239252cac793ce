import * as contract from '#shared/identity/announcements/announcements.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { actorOf, changesBetween, writeAudit } from '../audit/audit.ts'
import { assertCanMail, queueMails, relist, serveMailing, stopWaiting } from './mailing/mailing.ts'
import { readWish, type Wish } from './read-wish.ts'
import {
  endOne,
  findOne,
  findPage,
  findShown,
  insertDismissal,
  insertOne,
  lockOne,
  type Row,
  type Shown,
  tellNext,
  toneFor,
  updateOne,
} from './store.ts'

const TELL = 'tell-announcement'

/** Serves announcements by administrators. */
export function serveAnnouncements(server: Server, platform: Platform): void {
  const { db, clock, jobs, mail } = platform
  jobs.register(TELL, async ({ id }, signal) => {
    let after: string | null = null
    do {
      signal.throwIfAborted()
      after = await db.transaction().execute((trx) => tellNext(trx, String(id), after, clock.now()))
    } while (after !== null)
  })
  serveShown(server, platform)
  serveManaged(server, platform)
  serveMailing(server, platform)
  serve(server, contract.listAnnouncements, {
    handle: async ({ user, query: { page, limit } }) => {
      const skip = (page - 1) * limit
      const { items, total } = await findPage(db, user, { skip, limit })
      const now = clock.now()
      return {
        items: items.map((row) => show(row, now)),
        ...{ total, has_more: skip + items.length < total, can_mail: (await mail.host()) !== null },
      }
    },
  })
}

function serveShown(server: Server, { db, clock }: Platform): void {
  serve(server, contract.listShownAnnouncements, {
    handle: async ({ user }) => {
      const found = await findShown(db, user.id, clock.now())
      return { items: found.map((one) => inLanguage(one, user.language)) }
    },
  })
  serve(server, contract.dismissAnnouncement, {
    handle: async ({ user, params: { announcementId: id } }) => {
      const tone = await toneFor(db, user.id, id, clock.now())
      if (!tone) throw new AppError('not_found', 'Announcement not found')
      if (tone === 'warning') throw new AppError('conflict', 'A warning stays until it ends.')
      await insertDismissal(db, user.id, id)
    },
  })
}

function serveManaged(server: Server, platform: Platform): void {
  const { db, clock, jobs } = platform
  const read = async (trx: Parameters<typeof findOne>[0], id: string): Promise<Row> => {
    const row = await findOne(trx, id)
    if (!row) throw new AppError('not_found', 'Announcement not found')
    return row
  }
  const tell = async (within: Parameters<typeof findOne>[0], id: string) => {
    await jobs.add(TELL, { id }, { key: `${TELL} ${id}`, within })
    // Also notifies at its start and end; a change moves both. A redundant notification is harmless.
    const { starts_at, ends_at } = await read(within, id)
    for (const [when, runAt] of Object.entries({ starts_at, ends_at }))
      if (runAt > clock.now()) await jobs.add(TELL, { id }, { key: `${TELL} ${id} ${when}`, runAt, within })
  }
  serve(server, contract.createAnnouncement, {
    handle: async ({ user, body, request }) => {
      const now = clock.now()
      const wish = await readWish(db, user, body, now)
      if (wish.by_mail) await assertCanMail(platform)
      const actor = actorOf(user, request)
      await jobs.prepare()
      return db.transaction().execute(async (trx) => {
        const id = await insertOne(trx, wish, { id: user.id, name: actor.name, at: now })
        await tell(trx, id)
        const row = await read(trx, id)
        if (row.by_mail) await queueMails(platform, id, { runAt: row.starts_at, within: trx })
        await writeAudit(trx, now, { actor, did: 'announcement.created', ...subjectOf(row) })
        return show(row, now)
      })
    },
  })
  serve(server, contract.changeAnnouncement, {
    handle: async ({ user, params: { announcementId: id }, body, request }) => {
      const now = clock.now()
      if (body.by_mail) await assertCanMail(platform)
      await jobs.prepare()
      return db.transaction().execute(async (trx) => {
        await lockOne(trx, id)
        const before = await read(trx, id)
        assertNotEnded(before, now)
        const wish = await readWish(
          trx,
          user,
          { ...body, starts_at: body.starts_at ?? startOf(before, now) },
          now,
        )
        await updateOne(trx, id, wish, isOther(before, wish))
        await tell(trx, id)
        const after = await read(trx, id)
        await changeMails(platform, trx, after)
        const changes = changesBetween(inWords(before), inWords(after))
        const entry = { actor: actorOf(user, request), ...subjectOf(before), changes }
        await writeAudit(trx, now, { ...entry, did: 'announcement.changed' })
        return show(after, now)
      })
    },
  })
  serve(server, contract.endAnnouncement, {
    handle: async ({ user, params: { announcementId: id }, request }) => {
      const now = clock.now()
      await jobs.prepare()
      return db.transaction().execute(async (trx) => {
        await lockOne(trx, id)
        const before = await read(trx, id)
        assertNotEnded(before, now)
        await endOne(trx, id, now)
        await stopWaiting(trx, id, now)
        await tell(trx, id)
        const entry = { actor: actorOf(user, request), ...subjectOf(before) }
        await writeAudit(trx, now, { ...entry, did: 'announcement.ended' })
        return show(await read(trx, id), now)
      })
    },
  })
}

/** Sends the mails of a changed announcement to people it is for now, or stops them. */
async function changeMails(platform: Platform, trx: Parameters<typeof findOne>[0], row: Row): Promise<void> {
  if (!row.by_mail) return stopWaiting(trx, row.id, platform.clock.now())
  await relist(trx, row.id)
  await queueMails(platform, row.id, { runAt: row.starts_at, within: trx })
}

function assertNotEnded({ ends_at }: Row, now: Date): void {
  if (ends_at <= now) throw new AppError('conflict', 'This announcement has ended. Write a new one.')
}

/** Returns the start: "now" keeps the start of a running announcement. */
const startOf = ({ starts_at }: Row, now: Date) => (starts_at <= now ? starts_at.toISOString() : null)

const isOther = (before: Row, { text_en, text_fr, tone }: Wish) =>
  before.text_en !== text_en || before.text_fr !== text_fr || before.tone !== tone

/** Returns the text in the reader's language, else in the other one. */
function inLanguage(one: Shown, wanted: Language): contract.ShownAnnouncement {
  const { id, tone, text_en, text_fr, link } = one
  const own = wanted === 'fr' ? text_fr : text_en
  const other: Language = wanted === 'fr' ? 'en' : 'fr'
  return { id, tone, link, text: own ?? text_en ?? text_fr ?? '', language: own === null ? other : wanted }
}

function show({ company_ids, group_ids, roles, author_name, ...row }: Row, now: Date): contract.Announcement {
  const { starts_at, ends_at } = row
  return {
    ...row,
    ...{ audience: { company_ids, group_ids, roles }, author: author_name },
    ...{ starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString() },
    state: ends_at <= now ? 'ended' : starts_at > now ? 'planned' : 'running',
  }
}

const subjectOf = ({ id, text_en, text_fr, company_ids }: Row) => ({
  ...{ subject: text_en ?? text_fr ?? '', subjectId: id, companyId: company_ids[0] ?? null },
})

/** Returns an announcement's values for the audit log. */
const inWords = ({ tone, text_en, text_fr, link, names, roles, starts_at, ends_at, by_mail }: Row) => ({
  ...{ tone, text_en, text_fr, link, audience: [...names, ...roles].join(', ') || null },
  ...{ starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString(), by_mail: String(by_mail) },
})
