import { sql } from 'kysely'
import { expect } from 'vitest'
import { runSchedules } from '../../src/server/chat/schedules/schedules.ts'
import type { Slot } from '../../src/shared/chat/schedules/slots.ts'
import { aUser, type TestUser } from './builders.ts'
import { type Chat, startChat } from './chat.ts'
import { setScheduleClock } from './schedule-clock.ts'

/** A chat with an owner of schedules, whose clock and minutely job the test moves. */
export type Scheduling = Awaited<ReturnType<typeof startScheduling>>

/** Starts the server without jobs at 2027-01-04 06:00 UTC, a Monday. */
export async function startScheduling(config: Record<string, string> = {}) {
  const chat = await startChat({ app: { jobs: false, config }, user: { role: 'member' } })
  const moveTo = (time: string) => setScheduleClock(chat.app, time)
  const log = async (id: string): Promise<Slot[]> =>
    (await chat.call('GET', `/schedules/${id}/slots?limit=100`)).body.items
      .filter(({ state }: Slot) => state !== 'planned')
      .reverse()
  await moveTo('2027-01-04T06:00:00Z')
  return {
    ...{ chat, db: chat.app.deps.db, moveTo, log },
    /** Does the work of one minute. */
    run: () => runSchedules(chat.app.deps, new AbortController().signal),
    /** Creates a schedule of every day at 08:00 in Paris, which is 07:00 UTC, and returns its id. */
    async aSchedule(more: object = {}): Promise<string> {
      const answer = await chat.call('POST', '/schedules', {
        ...{ name: 'Watch', text: 'What is new?', model_name: 'compatible/scripted' },
        ...{ rule: { kind: 'days', count: 1, time: '08:00' }, time_zone: 'Europe/Paris', ...more },
      })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      return answer.body.id
    },
    /** Waits until the first slot that began has a state. */
    reaches: (id: string, state: Slot['state']) =>
      expect.poll(async () => (await log(id)).at(0)?.state, { timeout: 60_000 }).toBe(state),
    aColleague: () => aColleagueOf(chat),
  }
}

/** Creates a person in the company of the owner. */
async function aColleagueOf(chat: Chat): Promise<TestUser> {
  const colleague = await aUser(chat.app)
  await sql`insert into company_members (company_id, user_id, role)
    select company_id, ${colleague.id}, 'member' from company_members where user_id = ${chat.user.id}
    on conflict do nothing`.execute(chat.app.deps.db)
  return colleague
}
