import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../src/server/app.ts'
import { compose } from '../src/server/compose.ts'
import { createModels } from '../src/server/models/models/models.ts'
import { openPlatform } from '../src/server/open-platform.ts'
import { parseConfig } from '../src/server/platform/config/config.ts'
import { startPostgres } from '../src/server/platform/db/db.ts'
import { createLog } from '../src/server/platform/log.ts'
import { fillLibrary, type Library } from './library/fill.ts'
import { round } from './measure/statistics.ts'
import { below } from './measure/targets.ts'

type Case = { name: string; path: string; who: 'owner' | 'colleague' }

/**
 * Measures every filter, order and page depth of the document list in a library of 50,000 documents of several people and
 * companies, without a network.
 *
 * --documents 50000 --reads 15
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { documents: { type: 'string', default: '50000' }, reads: { type: 'string', default: '15' } },
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-library-'))
  const log = createLog('error')
  const postgres = await startPostgres({ dataDir, log })
  const config = parseConfig({ ATRIUM_DATA_DIR: dataDir, ATRIUM_LIMIT_SHARE_PERCENT: '100' })
  const platform = await openPlatform({ config, address: postgres.address, log, models: createModels })
  const deps = compose(platform.deps)
  const http = createApp(deps)
  try {
    await http.ready()
    const library = await fillLibrary({ deps }, Number(values.documents))
    const floor = await timeEach(http, library, { name: 'me', path: '/users/me', who: 'owner' }, 100)
    const measured: { name: string; times: number[]; found: number }[] = []
    for (const one of casesOf(library, Number(values.documents)))
      measured.push({ name: one.name, ...(await timeEach(http, library, one, Number(values.reads))) })
    const slowest = measured
      .map(({ name, times, found }) => ({
        name,
        found,
        p50: percentile(times, 0.5),
        p95: percentile(times, 0.95),
      }))
      .sort((a, b) => b.p50 - a.p50)
    const all = measured.flatMap(({ times }) => times)
    return {
      ...{ documents: Number(values.documents), cases: measured.length, load: round(loadavg()[0] ?? 0) },
      ...{ empty_request_p50_ms: percentile(floor.times, 0.5), p50_ms: percentile(all, 0.5) },
      slowest: slowest.slice(0, 15),
      targets: [
        below('a page of the list, p95 of all cases', percentile(all, 0.95), 100, 'ms'),
        below('the slowest case, p50', slowest[0]?.p50 ?? null, 100, 'ms'),
      ],
    }
  } finally {
    await http.close()
    await platform.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const sorts = ['date', 'name', 'size', 'type', 'status', 'workspace', 'star', 'language']

function casesOf({ workspaceId, sessionId }: Library, documents: number): Case[] {
  const pages = Math.floor(documents / 50)
  const filters = [
    ...['type=pdf', 'type=office', 'status=completed', 'status=failed', 'status=in_progress', 'starred=true'],
    ...[
      'starred=false',
      'from_chats=true',
      'from_chats=false',
      'language=fr',
      'tag=folder%2F20',
      'tag=nowhere',
    ],
    ...['q=report', 'q=a7', 'q=ab12', 'q=nowhere', 'min_size=1000000', 'max_size=2000'],
    ...['from=2025-06-01T00:00:00Z&to=2025-07-01T00:00:00Z', 'type=pdf&language=fr&starred=true'],
    ...[`workspace_id=${workspaceId}`, `chat_session_id=${sessionId}`],
  ]
  const lists = [
    ...sorts.flatMap((sort) =>
      ['asc', 'desc'].flatMap((order) =>
        [1, Math.ceil(pages / 2), pages].map((page) => `sort=${sort}&order=${order}&page=${page}`),
      ),
    ),
    ...filters,
    ...filters.flatMap((filter) => ['name', 'workspace'].map((sort) => `${filter}&sort=${sort}&order=asc`)),
  ]
  const owned = lists.map((query): Case => ({ name: query, path: `/documents?${query}`, who: 'owner' }))
  const shared = [...sorts.map((sort) => `sort=${sort}`), 'q=report', 'type=pdf', 'from_chats=true'].map(
    (query): Case => ({ name: `${query} of a colleague`, path: `/documents?${query}`, who: 'colleague' }),
  )
  const beside = ['/documents/months', '/documents/months?type=pdf', '/documents/state'].map(
    (path): Case => ({ name: path, path, who: 'owner' }),
  )
  return [...owned, ...shared, ...beside]
}

/** Returns the milliseconds of sequential calls, and the number of documents found. */
async function timeEach(http: FastifyInstance, library: Library, { path, who }: Case, reads: number) {
  const times: number[] = []
  let found = 0
  for (let n = -1; n < reads; n += 1) {
    const from = performance.now()
    const answer = await http.inject({ method: 'GET', url: `/api/v1${path}`, headers: library[who].headers })
    if (n >= 0) times.push(performance.now() - from)
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`)
    found = answer.json().total ?? 0
  }
  return { times, found }
}

function percentile(times: number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN)
}
