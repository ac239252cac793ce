import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { TestApp } from './app.ts'
import type { TestUser } from './builders.ts'

/** Creates a file made by a tool of a run, with its bytes. Returns its id. */
export async function aMedium(app: Pick<TestApp, 'deps'>, owner: TestUser, run_id: string): Promise<string> {
  const { db, files } = app.deps
  const id = randomUUID()
  const file_key = `media/${id}/file`
  const { size } = await files.write(file_key, Readable.from([Buffer.from('a')]))
  const row = { id, user_id: owner.id, run_id, file_key, name: 'a.txt', media_type: 'text/plain', size }
  await db.insertInto('media').values(row).execute()
  return id
}
