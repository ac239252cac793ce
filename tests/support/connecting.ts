import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Connector } from '../../src/shared/knowledge/connectors/connectors.ts'
import type { TestApp } from './app.ts'
import type { Reader } from './documents.ts'

const wish = {
  name: 'Contracts',
  selection: { folders: [], include: [], exclude: [] },
  rights: 'named',
  every_minutes: 60,
}

/** Connects a source for a company whose members all may read it, and returns the connector. */
export async function connect(
  who: Reader,
  companyId: string | null,
  more: { source: string; settings: Record<string, string> } & Record<string, unknown>,
): Promise<Connector> {
  const readers = companyId === null ? [] : [{ kind: 'company', id: companyId }]
  const { status, body } = await who.call('POST', '/connectors', {
    ...{ ...wish, readers, company_id: companyId },
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

/** Waits until no sync is under way, and returns the connector. */
export async function synced(who: Reader, id: string): Promise<Connector> {
  const read = async () => (await who.call('GET', `/connectors/${id}`)).body
  await expect.poll(async () => (await read()).state, { timeout: 60_000, interval: 50 }).not.toBe('working')
  return read()
}

/** Syncs now and waits for the end. */
export async function syncNow(who: Reader, id: string): Promise<Connector> {
  const { status } = await who.call('POST', `/connectors/${id}/sync`)
  expect(status).toBe(200)
  return synced(who, id)
}

/** Returns the documents of a connector by name, with their paths and versions. */
export async function documentsOf({ deps }: Pick<TestApp, 'deps'>, connectorId: string) {
  const { rows } = await sql<{ id: string; name: string; path: string; version: number; tags: string[] }>`
    select d.id, d.name, i.path, d.version, d.tags from documents d join connector_items i on i.id = d.connector_item_id
    where d.connector_id = ${connectorId} and d.parent_id is null order by i.path, d.id limit 1000`.execute(
    deps.db,
  )
  return rows
}
