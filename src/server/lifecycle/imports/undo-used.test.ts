import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { importerOf } from '#tests/imports/two-installations.ts'
import { zipOf } from '#tests/zip.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
})
afterAll(() => chat?.close())
beforeEach(async () => {
  chat.user = await aUser(chat.app)
})

const [CHAT, DOCUMENT, ASSISTANT] = [1, 2, 3].map((at) => `00000000-0000-4000-9000-00000000001${at}`) as [
  string,
  string,
  string,
]
const archive = () =>
  zipOf({
    [`chats/${CHAT}.json`]: JSON.stringify({
      ...{ format: 'atrium-chat', version: 2, id: CHAT, title: 'Mine' },
      messages: [{ id: 'q', role: 'user', content: 'Hi' }],
    }),
    'data/documents.json': JSON.stringify([
      { id: DOCUMENT, name: 'plan.txt', reading_id: null, extension: 'txt', parent_id: null, tags: [] },
    ]),
    [`documents/${DOCUMENT}/plan.txt`]: 'The plan.',
    'data/assistants.json': JSON.stringify([
      {
        ...{ id: ASSISTANT, name: 'Helper', description: '', system_prompt: 'Help.', example_prompts: [] },
        ...{ temperature: null, documents: [], tools: [], workspaces: [] },
      },
    ]),
  })

/** Returns the ids of what the import added, by kind. */
async function added(): Promise<Record<string, string>> {
  const { rows } = await sql<{ kind: string; thing_id: string }>`
    select kind, thing_id from imported_things where user_id = ${chat.user.id}`.execute(chat.app.deps.db)
  return Object.fromEntries(rows.map(({ kind, thing_id }) => [kind, thing_id]))
}

const exists = async (table: string, id: string | undefined) =>
  (await sql`select from ${sql.table(table)} where id = ${id}`.execute(chat.app.deps.db)).rows.length === 1

describe('undoing an import', () => {
  it('keeps a document and an assistant that a prompt of the person uses', async () => {
    const to = importerOf(chat)
    const done = await to.importAll(archive())
    const { file, assistant } = await added()
    const made = await to.call('POST', '/prompts', {
      ...{
        name: 'Ask',
        command: 'ask',
        text: 'What is the plan?',
        fields: [],
        model_name: null,
        tools: null,
      },
      ...{ assistant_id: assistant, documents: [file] },
    })
    expect(made.status).toBeLessThan(300)
    await to.undo(done.id)
    expect([await exists('documents', file), await exists('assistants', assistant)]).toEqual([true, true])
  })
})
