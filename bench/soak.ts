import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { listTables } from '../src/server/knowledge/collections/collections.ts'
import { forgetLanes } from '../src/server/platform/jobs/store.ts'
import { openVectors } from '../src/server/platform/vectors/vectors.ts'
import { signIn, signUp } from '../tests/support/account.ts'
import { startApiServer } from '../tests/support/api-server.ts'
import { type Product, startProduct } from '../tests/support/product.ts'
import { median, round } from './measure/statistics.ts'
import { atMost } from './measure/targets.ts'
import { type Inside, inspect } from './soak/inspector.ts'
import { countKept, countProcesses, type Kept, openBeside } from './soak/kept.ts'
import { leaveHouse, type Tally, work } from './soak/person.ts'
import { startTalker } from './soak/talker.ts'

const EMPTYING_MS = 1_200_000
const QUIET_MS = 20_000
/**
 * Old versions of the vector store are retained for an hour after they were replaced, for current readers, and removed every ten minutes. The
 * first maintenance merges what is left, so a second one removes what that replaced.
 */
const LATER_MS = [75 * 60_000, 150 * 60_000]

/** Tables whose rows remain by design, with the reason. */
const staying: Record<string, string> = {
  audit_entries: 'what people and administrators did',
  erasures: 'receipts, for 30 days',
  departed_usage: 'sums of usage without a name',
  rate_limits: 'counters of tries, until their time is over',
  'graphile_worker._private_jobs': 'the last step of each erasure, an hour later',
  collections: 'the library, made with the first document',
  model_calibrations: 'one row a model',
  key_checks: 'one row',
}

/**
 * Checks whether an installation releases everything it used: people work for some minutes with every feature, then
 * everything they made and their accounts are deleted. Memory, handles and event loop are checked after a full collection
 * each minute; rows, files, vectors and temporary folders are compared with those at the beginning.
 *
 * --minutes 25 --people 15
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { minutes: { type: 'string', default: '25' }, people: { type: 'string', default: '15' } },
  })
  const minutes = Number(values.minutes)
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-soak-'))
  const [talker, api] = [await startTalker(), await startApiServer()]
  api.answer({ body: { score: 71, alerts: [] } })
  const product = await startProduct({
    ...{ dataDir, entry: 'src/server/main.ts' },
    env: {
      ...{ NODE_OPTIONS: '--inspect=127.0.0.1:0', ATRIUM_COMPATIBLE_URL: talker.url, ATRIUM_TITLES: 'model' },
      ...{ ATRIUM_TOOLS_PRIVATE: api.url, ATRIUM_LIMIT_REQUESTS_A_MINUTE: '10000' },
    },
  })
  const beside = openBeside(dataDir)
  const inspector = await inspect(product)
  const look = async (when: string) => lookAt(product, when, await inspector.look())
  try {
    await signUp(product.url, 'root')
    await sleep(QUIET_MS)
    const before = await countKept(beside, dataDir)
    const samples = [await look('start')]
    const names = Array.from({ length: Number(values.people) }, (_, at) => `person${at}`)
    const accounts = []
    for (const name of names) accounts.push(await signUp(product.url, name))
    const tally: Tally = { done: {}, failed: {} }
    const house = { url: product.url, model: 'compatible/scripted', api }
    const until = performance.now() + minutes * 60_000
    const working = Promise.all(accounts.map((account) => work(account, house, until, tally)))
    for (let minute = 1; minute <= minutes; minute += 1) {
      await sleep(Math.max(0, until - (minutes - minute) * 60_000 - performance.now()))
      samples.push(await look(`minute ${minute}`))
      talker.forget()
    }
    await working
    const full = await countKept(beside, dataDir)
    for (const name of names) await leaveHouse(product.url, await signIn(product.url, name))
    const emptying = performance.now()
    await untilEmpty(beside)
    const emptied_s = round((performance.now() - emptying) / 1000)
    await sleep(QUIET_MS)
    samples.push(await look('all deleted'))
    const emptied = await countKept(beside, dataDir)
    await tendLater(beside, dataDir)
    const later = await countKept(beside, dataDir)
    // Streams and idle connections close after a minute.
    await sleep(70_000)
    samples.push(await look('a minute later'))
    return { emptied_s, ...report({ samples, before, full, emptied, later, tally }) }
  } finally {
    inspector.close()
    await beside.close()
    await product.stop()
    await talker.close()
    await api.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Sample = ReturnType<typeof lookAt>

function lookAt({ process: { pid = 0 } }: Product, when: string, inside: Inside) {
  const rounded = Object.entries(inside).map(([name, value]) => [
    name,
    typeof value === 'number' ? round(value) : value,
  ])
  const sample = { when, ...(Object.fromEntries(rounded) as Inside), ...countProcesses(pid) }
  console.error(JSON.stringify(sample))
  return sample
}

/** Waits until accounts are erased, except for old versions, and no due job is left. */
async function untilEmpty({ pool }: ReturnType<typeof openBeside>): Promise<void> {
  for (const end = performance.now() + EMPTYING_MS; performance.now() < end; await sleep(500)) {
    const { rows } = await pool.query<{ open: number }>(
      `select (select count(*)::int from erasures where step not in ('versions', 'done'))
        + (select count(*)::int from graphile_worker._private_jobs where run_at <= now()) as open`,
    )
    if (rows[0]?.open === 0) return
  }
  throw new Error('the erasures do not finish')
}

/** Runs the maintenance of the hours that follow. */
async function tendLater({ db, pool }: ReturnType<typeof openBeside>, dataDir: string): Promise<void> {
  await forgetLanes(pool)
  let later = 0
  const vectors = openVectors({ location: join(dataDir, 'vectors'), now: () => new Date(Date.now() + later) })
  const tables = await listTables(db)
  for (later of LATER_MS)
    for (const { table_name, spec } of tables) await vectors.tend(table_name, spec, { isQuiet: true })
  vectors.close()
}

type Seen = Record<'before' | 'full' | 'emptied' | 'later', Kept> & { samples: Sample[]; tally: Tally }

function report({ samples, before, full, emptied, later, tally }: Seen) {
  const tables = [...new Set([...Object.keys(before.rows), ...Object.keys(later.rows)])]
  const left = tables
    .map((name) => ({ name, left: (later.rows[name] ?? 0) - (before.rows[name] ?? 0), why: staying[name] }))
    .filter((row) => row.left > 0)
  const atWork = samples.filter(({ when }) => when.startsWith('minute'))
  const third = Math.max(1, Math.floor(atWork.length / 3))
  const heapOf = (part: Sample[]) => median(part.map(({ heap_mb }) => heap_mb))
  const growth = heapOf(atWork.slice(-third)) - heapOf(atWork.slice(third, 2 * third))
  const last = samples.at(-1)
  const [first] = samples
  return {
    acts: tally.done,
    failures: tally.failed,
    samples,
    kept: { before: bare(before), full: bare(full), emptied: bare(emptied), later: bare(later) },
    rows: { before: sum(before), full: sum(full), emptied: sum(emptied), later: sum(later) },
    rows_left: left,
    targets: [
      atMost('heap, last third against the middle one', round(growth), 5, 'MB'),
      atMost(
        'heap after all was deleted, against the start',
        round((last?.heap_mb ?? 0) - (first?.heap_mb ?? 0)),
        25,
        'MB',
      ),
      atMost('handles more than at the start', (last?.handles ?? 0) - (first?.handles ?? 0), 5, ''),
      atMost('file handles more than at the start', (last?.fds ?? 0) - (first?.fds ?? 0), 10, ''),
      atMost('rows left beyond those that are meant to stay', total(left.filter(({ why }) => !why)), 0, ''),
      atMost('files left of people', later.files.files - before.files.files, 0, ''),
      atMost('vector store, hours later', later.vectors.mb, 1, 'MB'),
      atMost('versions of the vector store, hours later', later.vectors.versions, 5, ''),
      atMost('temporary folders left', later.temporary.work + later.temporary.drafts, 0, ''),
      atMost('entries left in /tmp', later.temporary.tmp - before.temporary.tmp, 0, ''),
    ],
  }
}

const bare = ({ files, vectors, temporary }: Kept) => ({ files, vectors, temporary })
const sum = ({ rows }: Kept) => Object.values(rows).reduce((all, count) => all + count, 0)
const total = (rows: { left: number }[]) => rows.reduce((all, { left }) => all + left, 0)
