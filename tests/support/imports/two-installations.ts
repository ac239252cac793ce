import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { TestApp } from '../app.ts'
import { type Chat, startChat } from '../chat.ts'
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
