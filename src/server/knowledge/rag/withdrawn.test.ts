import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findCitations } from '#shared/platform/citations/citation-tags.ts'
import { aCompany, aMessage, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { calls, says } from '#tests/model-server.ts'

/** The text of a document that no answer quotes. */
const SECRET = 'The vault opens with the word tangerine.'

let chat: Chat
let owner: Reader
let ada: Reader
let company: string
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  company = await aCompany(chat.app)
  const member = { role: 'member', companyId: company } as const
  owner = await aReader(chat.app, chat.url, await aUser(chat.app, member))
  ada = await aReader(chat.app, chat.url, await aUser(chat.app, member))
})
afterAll(() => chat.close())
beforeEach(() => chat.model.forget())

/** Creates a document that its owner shares with the company. */
async function aShared(): Promise<string> {
  const { body } = await owner.upload({ name: 'vault.txt', content: SECRET })
  await owner.processed(body.id)
  const { db } = chat.app.deps
  await db.updateTable('documents').set({ company_id: company }).where('id', '=', body.id).execute()
  return body.id
}

/** Creates a colleague's chat that searched the document and cites it. */
async function aCitingChat(document: string) {
  const { body: session } = await ada.call('POST', '/sessions', { model_name: 'compatible/scripted' })
  await ada.call('POST', `/sessions/${session.id}/documents/${document}`)
  chat.model.reply(
    [calls('document_search', { query: 'How does the vault open?' })],
    [says('With a word [1].')],
    [says('It opens with a word [1].')],
  )
  await ada.call('POST', '/messages', { chat_session_id: session.id, content: 'How?' })
  const read = async () => (await ada.call('GET', `/sessions/${session.id}/active-branch`)).body.active_branch
  await expect.poll(async () => (await read()).at(-1)?.status, { timeout: 30_000 }).toBe('completed')
  return { id: session.id as string, read }
}

const withdraw = {
  'is no longer shared': (document: string) =>
    chat.app.deps.db.updateTable('documents').set({ company_id: null }).where('id', '=', document).execute(),
  'was deleted': (document: string) => owner.call('DELETE', `/documents/${document}`),
}

describe('a document withdrawn after it was cited', () => {
  it.each(Object.entries(withdraw))(
    'is neither quoted nor opened once it %s, and keeps its citation number [CX-18]',
    async (_, take) => {
      const document = await aShared()
      const { id, read } = await aCitingChat(document)
      const before = await read()
      const [{ chunk_id = '' } = {}] = findCitations(before.at(-1).content)
      const words = async () =>
        (await ada.call('POST', '/rag/passages', { chunk_ids: [chunk_id] })).body.passages
      expect(await words()).toEqual([{ chunk_id, text_preview: SECRET }])
      expect((await ada.call('GET', `/documents/${document}/chunks/${chunk_id}`)).status).toBe(200)
      await take(document)
      expect(await words()).toEqual([])
      expect([403, 404]).toContain(
        (await ada.call('GET', `/documents/${document}/chunks/${chunk_id}`)).status,
      )
      expect([403, 404]).toContain((await ada.call('GET', `/documents/${document}/content`)).status)
      const after = await read()
      expect(after).toEqual(before)
      const tool = after.at(-1).blocks.find(({ type }: { type: string }) => type === 'tool')
      const execution = (await ada.call('GET', `/tool-executions/${tool.id}`)).body
      const stream = await (
        await fetch(`${chat.url}/sessions/${id}/task-stream`, { headers: ada.user.headers })
      ).text()
      for (const shown of [after, execution, stream]) {
        expect(JSON.stringify(shown)).toContain(chunk_id)
        expect(JSON.stringify(shown)).not.toContain('tangerine')
      }
    },
  )

  it('leaves no text outside the document itself', async () => {
    await aCitingChat(await aShared())
    for (const table of ['messages', 'run_records', 'run_events', 'tool_executions']) {
      const { rows } = await sql`select 1 from ${sql.table(table)} as kept
        where to_jsonb(kept)::text like '%tangerine%' limit 1`.execute(chat.app.deps.db)
      expect([table, rows]).toEqual([table, []])
    }
  })
})

describe('migration of stored passages', () => {
  it('removes their text and nothing else', async () => {
    const { db } = chat.app.deps
    const session = await chat.aSession()
    const passage = {
      document_id: 'd',
      document_name: 'a.txt',
      heading_path: [],
      page_number: null,
      place: {},
    }
    const source = { id: 'c', number: 1, title: 'a.txt', url: null, passage }
    const page = {
      id: 'https://a.example',
      number: 2,
      title: null,
      url: 'https://a.example',
      snippet: 'Kept',
    }
    const found = { ...passage, chunk_id: 'c', rank: 1 }
    const blocks = (words: object, snippet: object) => [
      { type: 'text', id: 't', text: 'A [1]', sources: [{ ...source, ...snippet }, page] },
      {
        type: 'tool',
        id: 'x',
        result: { sources: [{ ...found, ...words }], left_out: [] },
        events: [{ data: { passages: [{ ...found, ...words }] } }],
      },
    ]
    const old = blocks({ text_preview: 'Words' }, { snippet: 'Words' })
    const { id } = await aMessage(chat.app, session, { role: 'assistant', blocks: old })
    await sql
      .raw(await readFile(join(import.meta.dirname, '../../../../migrations/0063_passage_words.sql'), 'utf8'))
      .execute(db)
    const row = await db
      .selectFrom('messages')
      .select('blocks')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.blocks).toEqual(blocks({}, {}))
  })
})
