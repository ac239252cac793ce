import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { openVectors, type Row, type TableSpec } from './vectors.ts'

const HOUR_MS = 3_600_000
const folder = mkdtempSync(join(tmpdir(), 'atrium-upkeep-'))
let aheadMs = 0
const vectors = openVectors({ location: folder, now: () => new Date(Date.now() + aheadMs) })
afterAll(() => {
  vectors.close()
  rmSync(folder, { recursive: true, force: true })
})

const spec: TableSpec = {
  targets: [{ name: 'words', dimensions: 384, metric: 'cosine', isMulti: false }],
  index: 'hnsw',
}
const tend = () => vectors.tend('notes', spec, { isQuiet: true })

function aRow(document: number): Row {
  return {
    ...{ id: randomUUID(), reading_id: 'r', document_id: `d${document}`, user_id: 'u', company_id: null },
    ...{
      shared_access: [],
      chunk_type: 'paragraph',
      file_name: 'a.pdf',
      file_type: 'pdf',
      page: 1,
      position: 0,
    },
    ...{ created_at: 1, language: 'en', title: '', text: `secret${document} `.repeat(50), metadata: {} },
    vectors: { words: Array.from({ length: 384 }, Math.random) },
  }
}

const files = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
const kilobytes = () => files().reduce((sum, path) => sum + statSync(path).size, 0) / 1024
const versions = () =>
  files().filter((path) => path.endsWith('.manifest') && path.includes('notes.lance')).length

it('shrinks an emptied table to its first size within 70 minutes', { timeout: 60_000 }, async () => {
  await vectors.create('notes', spec)
  const [size, count] = [kilobytes(), files().length]
  const table = vectors.table('notes', spec)
  for (let document = 0; document < 30; document += 1) {
    await table.put(Array.from({ length: 20 }, () => aRow(document)))
    if (document % 10 === 9) await tend()
  }
  for (let document = 0; document < 30; document += 1)
    await table.remove({ column: 'document_id', equals: `d${document}` })
  expect(await table.count()).toBe(0)
  expect([kilobytes() > 3_000, versions() > 50]).toEqual([true, true])
  await tend()
  expect(versions(), 'who still reads an old version keeps it for an hour').toBeGreaterThan(50)

  aheadMs = HOUR_MS + 600_001
  await tend()
  expect(versions()).toBe(1)
  expect(kilobytes()).toBeLessThan(size + 100)
  expect(files().length).toBeLessThanOrEqual(count)
  expect(await tend(), 'nothing is left to do').toBe(false)
})

it('commits rewrites and maintenance of two processes at the same time', { timeout: 60_000 }, async () => {
  aheadMs = 0
  const other = openVectors({ location: folder })
  await vectors.create('shared', spec)
  await vectors.table('shared', spec).put(Array.from({ length: 20 }, (_, at) => aRow(at)))
  await Promise.all(
    [vectors, other, vectors, other].map(async (one) => {
      await one.rewrite('shared', spec)
      await one.tend('shared', spec, { isQuiet: true })
    }),
  )
  expect(await vectors.table('shared', spec).count()).toBe(20)
  other.close()
})

it('keeps a version for an hour after it was replaced, however old it is', { timeout: 60_000 }, async () => {
  aheadMs = 0
  await vectors.create('quiet', spec)
  const table = vectors.table('quiet', spec)
  for (let document = 0; document < 5; document += 1) await table.put([aRow(document)])
  const manifests = () => files().filter((path) => /quiet\.lance.*\.manifest$/.test(path))
  const [current = ''] = manifests().sort()
  aheadMs = 2 * HOUR_MS
  await vectors.tend('quiet', spec, { isQuiet: true })
  expect(manifests().sort()[0]).not.toBe(current)
  expect(manifests()).toContain(current)
  aheadMs = 4 * HOUR_MS
  await vectors.tend('quiet', spec, { isQuiet: true })
  expect(manifests()).toHaveLength(1)
})

it('drops old versions in two processes at the same time', { timeout: 60_000 }, async () => {
  aheadMs = 0
  const other = openVectors({ location: folder })
  await vectors.create('dropped', spec)
  const table = vectors.table('dropped', spec)
  for (let round = 0; round < 3; round += 1) {
    for (let document = 0; document < 12; document += 1) await table.put([aRow(document)])
    const before = new Date()
    // The engine's cutoff moves on while it works, so the version that is current must be clearly younger.
    await sleep(3_000)
    await table.put([aRow(12)])
    await Promise.all([vectors, other, vectors, other].map((one) => one.dropVersions('dropped', before)))
  }
  expect(await table.count()).toBe(39)
  other.close()
})
