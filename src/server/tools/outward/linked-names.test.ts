import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser, type TestUser } from '#tests/builders.ts'
import { aDocument } from '#tests/stored-document.ts'
import { readUser } from '../../identity/accounts/accounts.ts'
import { freezeOutward } from './outward.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' }, jobs: false })
})
afterAll(() => app.close())

it('names the documents of a chat only to people who may read them', async () => {
  const { db } = app.deps
  const [owner, member] = [await aUser(app), await aUser(app)]
  const { id: sessionId } = await aSession(app, owner)
  const { documentId: document_id } = await aDocument(app, owner)
  await db.insertInto('session_documents').values({ session_id: sessionId, document_id }).execute()
  const readBy = async ({ id }: TestUser) => {
    const user = { kind: 'user' as const, ...(await readUser(app.deps, id)) }
    const library = { documents: null } as never
    const { read } = await freezeOutward(app.deps, { user, sessionId, library, assistant: null, tools: [] })
    return read
  }
  expect(await readBy(owner)).toEqual([{ kind: 'document', name: 'a.txt' }])
  expect(await readBy(member)).toEqual([{ kind: 'document', name: '' }])
})
