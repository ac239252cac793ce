import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askToAct, decide } from '#tests/actions/acting.ts'
import { keepTestAccount } from '#tests/actions/connected-account.ts'
import { type MailboxWorld, startMailboxWorld } from '#tests/actions/mailbox-world.ts'
import { serviceConfig } from '#tests/actions/service-config.ts'
import { emptyState, type ServiceWorld, startServiceWorld } from '#tests/actions/service-world.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { goBack, resume } from '#tests/replays.ts'
import { readRun } from '#tests/runs.ts'

/** Kills of all actions together. */
const KILLS = 1_000
const MAIL = { to: ['bob@example.org'], subject: 'Offer', body: 'Dear Bob' }
const EVENT = {
  title: 'Review',
  starts: '2026-12-01T09:00:00Z',
  ends: '2026-12-01T10:00:00Z',
  guests: ['bob@example.org'],
}

let chat: Chat
let mailbox: MailboxWorld
let services: ServiceWorld
beforeAll(async () => {
  mailbox = await startMailboxWorld()
  services = await startServiceWorld()
  const allowed = [mailbox.imapPort, mailbox.smtpPort].map((port) => `http://127.0.0.1:${port}`)
  chat = await startChat({
    app: {
      config: {
        ATRIUM_TOOLS_PRIVATE: [...allowed, services.url].join(),
        ...serviceConfig(services),
      },
    },
  })
})
afterAll(async () => {
  await chat.close()
  await services.close()
  await mailbox.close()
})

type Kind = 'imap' | 'caldav' | 'google' | 'microsoft' | 'jira'
const actions: [string, Kind, string, object, () => number][] = [
  ['a mail over SMTP', 'imap', 'send_mail', MAIL, () => mailbox.delivered.length],
  [
    'a mail moved over IMAP',
    'imap',
    'file_mail',
    { mail: '7:1:INBOX', folder: 'Archive' },
    () => mailbox.folders.get('Archive')?.length ?? 0,
  ],
  ['an event over CalDAV', 'caldav', 'create_event', EVENT, () => services.state.events.length],
  ['a mail of Gmail', 'google', 'send_mail', MAIL, () => services.state.sent.length],
  ['an event of Google', 'google', 'create_event', EVENT, () => services.state.events.length],
  ['a mail of Microsoft', 'microsoft', 'send_mail', MAIL, () => services.state.sent.length],
  ['an event of Microsoft', 'microsoft', 'create_event', EVENT, () => services.state.events.length],
  [
    'a ticket of Jira',
    'jira',
    'create_ticket',
    { project: 'HR', title: 'Laptop' },
    () => services.state.tickets.length,
  ],
]

/** The state of the world and of the database at one moment of a call. */
type Moment = { records: number; handle: string | null; world: ReturnType<typeof snapshot>; at: string }

const snapshot = () =>
  structuredClone({ state: services.state, delivered: mailbox.delivered, folders: [...mailbox.folders] })

function restore({ state, delivered, folders }: Moment['world']): void {
  const copy = structuredClone({ state, delivered, folders })
  services.state = copy.state
  mailbox.delivered.splice(0, mailbox.delivered.length, ...copy.delivered)
  mailbox.folders.clear()
  for (const [name, mails] of copy.folders) mailbox.folders.set(name, mails)
}

beforeEach(async () => {
  await sql`delete from personal_accounts`.execute(chat.app.deps.db)
  await sql`delete from outside_actions`.execute(chat.app.deps.db)
  services.state = emptyState()
  mailbox.delivered.length = 0
  for (const mails of mailbox.folders.values()) mails.length = 0
  const raw = 'From: bob@example.org\r\nSubject: Offer\r\nMessage-ID: <o@x>\r\n\r\nHello.'
  mailbox.add('INBOX', raw)
})

/** Notes the moments at which the process can die while `work` runs: at every request before and after its effect. */
async function watch(work: () => Promise<unknown>): Promise<Moment[]> {
  const { db } = chat.app.deps
  const moments: Moment[] = []
  const note = async (at: string) => {
    const { rows } = await sql<{ records: number; handle: string | null }>`select
      (select count(*)::int from run_records r join runs on runs.id = r.run_id where runs.state = 'running') as records,
      (select handle from outside_actions limit 1) as handle`.execute(db)
    moments.push({ records: rows[0]?.records ?? 0, handle: rows[0]?.handle ?? null, world: snapshot(), at })
    return false
  }
  mailbox.cuts = note
  services.cuts = (point, call) => note(`${point} ${call}`)
  await work()
  mailbox.cuts = () => false
  services.cuts = () => false
  return moments
}

/** Keeps the journal of the first, undisturbed run. Every kill begins from it. */
async function keepJournal(runId: string): Promise<void> {
  const { db } = chat.app.deps
  await sql`drop table if exists kept_records`.execute(db)
  await sql`create table kept_records as select * from run_records where run_id = ${runId}`.execute(db)
}

async function restoreJournal(runId: string): Promise<void> {
  const { db } = chat.app.deps
  await sql`delete from run_records where run_id = ${runId}`.execute(db)
  await sql`insert into run_records select * from kept_records`.execute(db)
}

/** Puts world and database back to a moment, as if the process had died there. */
async function dieAt(runId: string, { records, handle, world }: Moment, userId: string): Promise<void> {
  const { db } = chat.app.deps
  restore(world)
  await goBack(chat, runId, records)
  await sql`delete from outside_actions`.execute(db)
  const { id: execution } = (
    await sql<{ id: string }>`select id from tool_executions where run_id = ${runId}`.execute(db)
  ).rows[0] ?? { id: null }
  if (handle !== null && execution)
    await sql`insert into outside_actions values (${execution}, ${userId}, ${handle}, now())`.execute(db)
  await sql`update tool_executions set status = 'pending', result = null, error = null, finished_at = null where run_id = ${runId}`.execute(
    db,
  )
  const { keys } = await readRun(chat.app, runId)
  const asked = keys.filter((key) => key.startsWith('ask:')).map((key) => key.slice('ask:'.length))
  await sql`delete from input_requests where run_id = ${runId} and not key = any(${asked}::text[])`.execute(
    db,
  )
}

/** Resumes the run. An interrupted call is repeated when the person sees that it did nothing, and skipped otherwise. */
async function finish(runId: string, count: () => number): Promise<void> {
  for (;;) {
    const { run } = await resume(chat, runId)
    if (run.state === 'completed') return
    const { rows } = await sql<{ id: string }>`select tool_execution_id as id from input_requests
      where run_id = ${runId} and state = 'waiting'`.execute(chat.app.deps.db)
    expect(rows, `the run is ${run.state}`).toHaveLength(1)
    const given = await decide(chat, rows[0]?.id ?? '', count() === 0 ? 'retry' : 'skip', 'text')
    expect(given.status, JSON.stringify(given.body)).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A reproducible sequence of numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('an action outside', () => {
  it.each(actions)(
    'is done once, whenever the process dies: %s [AC-02]',
    { timeout: 600_000 },
    async (_, kind, tool, input, count) => {
      const { user } = chat
      await keepTestAccount(chat.app, user.id, kind, { mailbox, services })
      expect((await chat.call('PUT', `/tools/${tool}/policy`, { policy: 'auto' })).status).toBe(200)
      let sessionId = ''
      const before = snapshot()
      const first = await watch(async () => {
        sessionId = (await askToAct(chat, tool, input)).sessionId
      })
      const { id: runId } = (
        await sql<{ id: string }>`select id from runs where session_id = ${sessionId}`.execute(
          chat.app.deps.db,
        )
      ).rows[0]!
      const whole = await readRun(chat.app, runId)
      expect([whole.run.state, count()]).toEqual(['completed', 1])
      await keepJournal(runId)
      // Between two records, the world is as the last request before them left it.
      const atRecords = Array.from({ length: whole.records.length - 1 }, (_one, index): Moment => {
        const last = first.findLast(({ records }) => records <= index)
        const at = `record ${whole.keys[index]}`
        return { ...(last ?? { handle: null, world: before }), records: index + 1, at }
      })
      const end = { world: snapshot(), handle: first.at(-1)?.handle ?? null }
      const begun = whole.keys.findIndex((key) => key.startsWith('started:'))
      const known = atRecords.map((one) => (one.records > begun + 1 ? { ...one, ...end } : one))
      const all = [...first, ...known, { ...end, records: begun + 1, at: 'before the result is stored' }]
      const random = numbers(7)
      let kills = 0
      for (let at = 0; kills < KILLS / actions.length; at += 1) {
        // Every moment once, then random ones; every third kill hits the resumed call again.
        let moment = all[at] ?? all[Math.floor(random() * all.length)]!
        for (let depth = 0; depth < 3; depth += 1) {
          kills += 1
          const why = `${moment.at}, kill ${kills}`
          if (depth === 0) await restoreJournal(runId)
          await dieAt(runId, moment, user.id)
          const again = await watch(() => finish(runId, count))
          expect(count(), why).toBe(1)
          if (again.length === 0 || random() > 0.4) break
          moment = again[Math.floor(random() * again.length)]!
        }
      }
      expect(kills).toBeGreaterThanOrEqual(KILLS / actions.length)
    },
  )
})
