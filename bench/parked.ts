import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { connect, startPostgres } from '../src/server/platform/db/db.ts'
import type { Tables } from '../src/server/platform/db/tables.ts'
import { createLog } from '../src/server/platform/log.ts'
import type { Message } from '../src/shared/runs/runs/message.ts'
import { type Account, accountAt, signUp } from '../tests/support/account.ts'
import { databaseUrl } from '../tests/support/database-url.ts'
import { calls, type ModelServer, says, startModelServer } from '../tests/support/model-server.ts'
import { startProduct } from '../tests/support/product.ts'
import { memoryMb, processTree } from './measure/processes.ts'
import { median, round } from './measure/statistics.ts'
import { atMost } from './measure/targets.ts'

const DAYS = 5
/** Runs that begin, or are answered, at the same time. */
const AT_ONCE = 8
/** Variation of the idle memory between two starts. */
const NOISE_MB = 10

/**
 * Parks runs on an approval, restarts the product, and compares the memory of its processes with that of a start without parked runs.
 * Then moves everything stored five days into the past, answers every question, and counts the runs that complete.
 *
 *   --runs 1000 --idle-seconds 30
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { runs: { type: 'string', default: '1000' }, 'idle-seconds': { type: 'string', default: '30' } },
  })
  const [count, idleMs] = [Number(values.runs), Number(values['idle-seconds']) * 1000]
  const folder = mkdtempSync(join(tmpdir(), 'atrium-parked-'))
  const log = createLog('error')
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), log })
  const url = databaseUrl(postgres.address)
  const model = await askingModel()
  const start = () =>
    startProduct({
      dataDir: join(folder, 'data'),
      env: {
        ...{ DATABASE_URL: url, ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_COMPATIBLE_NAME: 'house' },
        ...{ ATRIUM_LIMIT_REQUESTS_A_MINUTE: '1000000' },
      },
    })
  const { db, close } = connect({ url }, log)
  try {
    const first = await start()
    const account = await signUp(first.url)
    await account.call('PUT', '/tools/calculator/policy', { policy: 'ask' })
    await first.stop()
    const without = await idleMemory(start, idleMs)
    const second = await start()
    const sessions = await inTurns([...Array(count).keys()], () => park(accountAt(second.url, account.token)))
    const parked = await countParked(db)
    await second.stop()
    const withThem = await idleMemory(start, idleMs)
    await moveBack(db)
    const third = await start()
    const times: number[] = []
    const texts = await inTurns(sessions, async (id) => {
      const begun = performance.now()
      const text = await resume(accountAt(third.url, account.token), id)
      times.push(performance.now() - begun)
      return text
    })
    await third.stop()
    const completed = texts.filter((text) => text === 'It is 42.').length
    const growth = round(withThem - without, 1)
    return {
      ...{ runs: count, parked, completed, idle_mb: { without, with: withThem } },
      resumed_ms: { median: round(median(times), 0), max: round(Math.max(...times), 0) },
      targets: [
        atMost('runs that did not park', count - parked, 0, ''),
        atMost(
          `memory of processes with ${count} parked runs (noise ${NOISE_MB} MB)`,
          growth,
          NOISE_MB,
          'MB',
        ),
        atMost(`runs that did not complete after ${DAYS} days`, count - completed, 0, ''),
      ],
    }
  } finally {
    await close()
    await model.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A model that calls the calculator once and then says the result. */
async function askingModel(): Promise<ModelServer> {
  const model = await startModelServer()
  model.always(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? [says('It is 42.')]
      : [calls('calculator', { a: 21, b: 2, operation: 'multiply' })],
  )
  return model
}

async function idleMemory(start: () => ReturnType<typeof startProduct>, ms: number): Promise<number> {
  const product = await start()
  await sleep(ms)
  const mb = memoryMb(processTree(product.process.pid ?? 0).map(({ pid }) => pid))
  await product.stop()
  return round(mb, 1)
}

/** Begins a chat whose run waits for an approval. Returns its id. */
async function park(account: Account): Promise<string> {
  const { id } = await account.call<{ id: string }>('POST', '/sessions', {})
  const message = { chat_session_id: id, content: '21 × 2?', agent_type: 'multi_turn' }
  await account.call('POST', '/messages', message)
  await untilReply(account, id, (reply) => askOf(reply) !== undefined)
  return id
}

/** Approves the call of a chat. Returns the text of the completed reply. */
async function resume(account: Account, id: string): Promise<string> {
  const call = askOf(await readReply(account, id))
  await account.call('POST', `/tool-executions/${call}/provide-input`, {
    input: { approved: true },
    input_type: 'json',
  })
  return (await untilReply(account, id, ({ status }) => status === 'completed')).content
}

/** Returns the call that waits for an approval. */
function askOf(reply: Message | undefined): string | undefined {
  const waiting = reply?.blocks?.find((block) => block.type === 'input_required' && block.state === 'waiting')
  return waiting?.type === 'input_required' ? waiting.tool?.tool_execution_id : undefined
}

async function readReply(account: Account, id: string): Promise<Message | undefined> {
  const path = `/sessions/${id}/active-branch`
  const { active_branch } = await account.call<{ active_branch: Message[] }>('GET', path)
  return active_branch.findLast(({ role }) => role === 'assistant')
}

async function untilReply(account: Account, id: string, is: (reply: Message) => boolean): Promise<Message> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const reply = await readReply(account, id)
    if (reply && is(reply)) return reply
    await sleep(50)
  }
  throw new Error('a reply did not get there within a minute')
}

async function countParked(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from runs where state = 'waiting'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Moves all times of chats, runs and questions into the past, which is what they see when the clock moves on. */
async function moveBack(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'timestamp with time zone'
      and table_name in ('sessions', 'messages', 'runs', 'run_records', 'input_requests', 'tool_executions')
    order by table_name, ordinal_position`.execute(db)
  for (const { table, column } of rows)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} - make_interval(days => ${DAYS})`.execute(
      db,
    )
}

/** Works on all items, some at the same time. Returns the results in order. */
async function inTurns<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = [...items.entries()]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1])
    }),
  )
  return results
}
