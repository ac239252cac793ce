import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { TestApp } from '../app.ts'
import { type Chat, startChat } from '../chat.ts'
import { openStream } from '../event-stream.ts'
import { calls, says } from '../model-server.ts'
import { anImporter, type Importer } from './importing.ts'

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Replaces ids by their first occurrence, so that two installations can be compared. */
export function withoutIds(value: unknown): unknown {
  const known = new Map<string, string>()
  const renamed = JSON.stringify(value).replace(ID, (id) => {
    if (!known.has(id)) known.set(id, `id-${known.size}`)
    return known.get(id) as string
  })
  return JSON.parse(renamed)
}

/** Returns the archive that a person takes out. */
export async function archiveOf({ deps }: TestApp, person: Importer): Promise<Buffer> {
  const { body } = await person.call('POST', '/exports', { documents: true })
  await expect
    .poll(async () => (await person.call('GET', `/exports/${body.id}`)).body.state, { timeout: 30_000 })
    .toBe('ready')
  const { rows } = await sql<{
    file_key: string
  }>`select file_key from exports where id = ${body.id}`.execute(deps.db)
  return buffer(await deps.files.read(rows[0]?.file_key ?? ''))
}

/** Starts two installations, each with a model and a person. */
export async function startTwo(): Promise<{ old: Chat; fresh: Chat; close: () => Promise<void> }> {
  const options = {
    app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } },
    model: { models: ['scripted', 'one', 'two'] },
  }
  const [old, fresh] = [await startChat(options), await startChat(options)]
  return {
    ...{ old, fresh },
    close: async () => {
      await old.close()
      await fresh.close()
    },
  }
}

/** The person of an installation as the importer of archives. */
export const importerOf = ({ url, user }: Pick<Chat, 'url' | 'user'>) => anImporter(url, user)

type Person = Pick<Chat, 'url' | 'user'>
// biome-ignore lint/suspicious/noExplicitAny: the tests read answers of many routes
type Body = any

/** Returns the positions that a person can return to in a chat. */
export const positionsOf = async (person: Person, session: string): Promise<Body[]> =>
  (await importerOf(person).call('GET', `/sessions/${session}/checkpoints?limit=100`)).body

/** Returns the messages that a chat shows. */
export const branchOf = async (person: Person, session: string): Promise<Body[]> =>
  (await importerOf(person).branch(session)).active_branch

/** Returns to a position, and streams the new reply. */
export async function returnTo(
  { url, user }: Person,
  session: string,
  { id, message_id, checkpoint_name }: Body,
) {
  return openStream(`${url}/sessions/${session}/navigate-to-checkpoint`, {
    ...{ method: 'POST', headers: user.headers },
    body: { checkpoint_name, message_id, checkpoint_hint: id },
  })
}

/** Creates a chat whose reply called the calculator, with the name `Computed` for the position after the call. Returns its id. */
export async function anAnswer(chat: Chat): Promise<string> {
  const by = importerOf(chat)
  const { body } = await by.call('POST', '/sessions', { model_name: 'compatible/scripted' })
  chat.model.reply([calls('calculator', { a: 6, b: 7, operation: 'multiply' })], [says('It is 42.')])
  const asked = await openStream(`${chat.url}/sessions/${body.id}/messages`, {
    ...{ method: 'POST', headers: chat.user.headers, body: { content: 'What is 6 times 7?' } },
  })
  await asked.ended
  const [, second] = await positionsOf(chat, body.id)
  await by.call('PATCH', `/checkpoints/${second.id}`, { label: 'Computed' })
  return body.id
}
