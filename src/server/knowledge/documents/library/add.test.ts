import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#shared/platform/errors.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { addDocument, storeBytes } from './add.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' }, jobs: false })
})
afterAll(() => app.close())

async function hasFile(key: string): Promise<boolean> {
  for await (const found of app.deps.files.list()) if (found === key) return true
  return false
}

describe('the bytes of a new document', () => {
  it('stay when the connection is lost after the commit', async () => {
    const { deps } = app
    const user = await aUser(app)
    const stored = await storeBytes(deps, user.id, Readable.from(['The lease.']))
    const db = Object.create(deps.db) as typeof deps.db
    Object.assign(db, {
      transaction: () => ({
        execute: async (work: Parameters<ReturnType<typeof deps.db.transaction>['execute']>[0]) => {
          await deps.db.transaction().execute(work)
          throw new Error('Connection terminated unexpectedly')
        },
      }),
    })
    const added = addDocument({ ...deps, db }, user.id, stored, { name: 'lease.txt' })
    await expect(added).rejects.toThrow('Connection terminated')
    const { file_key } = await deps.db
      .selectFrom('blobs')
      .select('file_key')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(file_key).toBe(stored.file_key)
    expect(await hasFile(file_key)).toBe(true)
  })

  it('are removed when the document is refused', async () => {
    const user = await aUser(app)
    const stored = await storeBytes(app.deps, user.id, Readable.from(['The lease.']))
    const added = addDocument(app.deps, user.id, stored, { name: 'lease.txt' }, async () => {
      throw new AppError('conflict', 'Refused.')
    })
    await expect(added).rejects.toThrow('Refused.')
    expect(await hasFile(stored.file_key)).toBe(false)
  })
})

describe('the address of a new document in its source', () => {
  it.each([
    ['with a space is encoded', 'https://files.test/the lease', 'https://files.test/the%20lease'],
    ['of another protocol is left out', 'javascript:alert(1)', null],
    ['without a host is left out', 'https://', null],
    ['of more than 2,000 characters is left out', `https://files.test/${'a'.repeat(2_000)}`, null],
  ])('%s', async (_, source_url, address) => {
    const user = await aUser(app)
    const stored = await storeBytes(app.deps, user.id, Readable.from(['The lease.']))
    const id = await addDocument(app.deps, user.id, stored, { name: 'lease.txt', source_url })
    const { rows } = await sql`select source_url from documents where id = ${id}`.execute(app.deps.db)
    expect(rows).toEqual([{ source_url: address }])
  })
})
