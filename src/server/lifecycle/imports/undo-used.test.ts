import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { chatOf, checkpointOf, journalOf, packed } from '#tests/imports/journal-archive.ts'
import { importerOf, positionsOf, returnTo } from '#tests/imports/two-installations.ts'
import { says } from '#tests/model-server.ts'
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

const aStep = {
  ...{ position: 1, key: 'window', kind: 'step', created_at: null },
  value: { value: { from: 0, knownFits: false, more: 'text '.repeat(25_000) }, events: [] },
}

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

  it('removes the runs of the messages that it removes, so that another import restores them', async () => {
    const to = importerOf(chat)
    const whole = chatOf()
    const [question] = whole.messages
    await to.importAll(packed({ ...whole, messages: [question] }, []))
    const records = [aStep, checkpointOf(2, 'llm_checkpoint_1')]
    const longer = packed(whole, [{ ...journalOf(), records }])
    const second = await to.importAll(longer)
    const [restored] = await to.chats()
    const before = await positionsOf(chat, restored.id)
    expect(before).toHaveLength(1)
    const used = async () => {
      const { rows } = await sql<{ bytes: string }>`
        select stored_bytes as bytes from sessions where id = ${restored.id}`.execute(chat.app.deps.db)
      return Number(rows[0]?.bytes)
    }
    await to.undo(second.id)
    const { rows } = await sql`select from runs where session_id = ${restored.id}`.execute(chat.app.deps.db)
    expect(rows).toEqual([])
    expect(await used()).toBeLessThan(10_000)
    const third = await to.importAll(longer)
    expect((await positionsOf(chat, restored.id)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(await used()).toBeGreaterThan(100_000)
    chat.model.always(() => [says('Mine.')])
    const [position] = await positionsOf(chat, restored.id)
    await (await returnTo(chat, restored.id, position)).ended
    await to.undo(third.id)
    const kept = (await positionsOf(chat, restored.id)).filter(({ is_active }) => is_active)
    expect(kept.map(({ id }) => id)).toContain(position.id)
  })
})
