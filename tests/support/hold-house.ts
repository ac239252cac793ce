import { sql } from 'kysely'
import { expect } from 'vitest'
import type { LegalHold } from '../../src/shared/lifecycle/legal-holds/legal-holds.ts'
import { aUser, type TestUser } from './builders.ts'
import { startChat } from './chat.ts'

/** A server whose clock a test moves, with a super admin who places legal holds. */
export type HoldHouse = Awaited<ReturnType<typeof startHoldHouse>>

export async function startHoldHouse() {
  let ahead = 0
  const chat = await startChat({ app: { clock: { now: () => new Date(Date.now() + ahead) } } })
  const root = await aUser(chat.app, { role: 'super_admin' })
  const { db } = chat.app.deps
  const as = (user: TestUser) => (method: string, path: string, body?: unknown) =>
    chat.call(method, path, body, user.headers)
  return {
    ...{ chat, root, as },
    /** Moves the clock ahead of the present. */
    setAhead: (milliseconds: number) => {
      ahead = milliseconds
    },
    place: async (kind: 'user' | 'project', subject_id: string, reason = 'Claim 2026') => {
      const { status, body } = await as(root)('POST', '/admin/legal-holds', { kind, subject_id, reason })
      expect(status, JSON.stringify(body)).toBe(201)
      return body as LegalHold
    },
    isStored: async (table: string, id: string) =>
      (await sql`select from ${sql.table(table)} where id = ${id}`.execute(db)).rows.length > 0,
    /** Resets the clock, the holds and the retention. */
    reset: async () => {
      ahead = 0
      for (const table of ['legal_holds', 'retention_rules', 'retention_runs'])
        await sql`delete from ${sql.table(table)}`.execute(db)
    },
  }
}
