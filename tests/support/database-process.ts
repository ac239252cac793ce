import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

type Rows = Record<string, unknown>[]

/** A separate process that supervises a database and runs queries for the test. */
export type DatabaseProcess = {
  process: ChildProcess
  /** Folder of the database socket. */
  host: string
  /** Process id of the postmaster. */
  pid: number
  query: (sql: string) => Promise<Rows>
  /** Sends SIGTERM and waits for the exit. */
  stop: () => Promise<void>
  /** Sends SIGKILL and waits for the exit. */
  kill: () => Promise<void>
}

type Options = {
  dataDir: string
  /** Another checkout to run. */
  root?: string
  /** Command prefix, such as `setpriv` with another user. */
  prefix?: string[]
  /** Called once the process runs, before the database does. */
  onSpawn?: (child: ChildProcess) => void
}

export const checkout = fileURLToPath(new URL('../../', import.meta.url))

/** @throws Error with the supervisor's refusal to start */
export async function startDatabaseProcess(options: Options): Promise<DatabaseProcess> {
  const { dataDir, root = checkout, prefix = [], onSpawn } = options
  const [command = '', ...args] = [...prefix, process.execPath, '--input-type=module', '-e', script]
  const child = spawn(command, args, {
    cwd: '/',
    env: { ...process.env, ROOT: root, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  onSpawn?.(child)
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const hear = () =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      child.once('message', (message) => resolve(message as Record<string, unknown>))
      child.once('exit', (code, signal) => reject(new Error(`it ended with ${code ?? signal}: ${said}`)))
    })
  const first = await hear()
  if (first.refused) throw new Error(String(first.refused))
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  return {
    process: child,
    host: String(first.host),
    pid: Number(first.pid),
    query: async (sql) => {
      const answer = hear()
      child.send(sql)
      const { rows, error } = await answer
      if (error) throw new Error(String(error))
      return rows as Rows
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

/** Prints one clear line if it cannot start; anything else would be a bug. */
const script = `
const { connect, PostgresError, startPostgres } = await import(process.env.ROOT + 'src/server/platform/db/db.ts')
const { createLog } = await import(process.env.ROOT + 'src/server/platform/log.ts')
const log = createLog('silent')
try {
  const server = await startPostgres({ dataDir: process.env.DATA_DIR, log })
  const { pool, close } = connect(server.address, log)
  process.on('message', (sql) =>
    pool.query(sql).then(({ rows }) => process.send({ rows }), ({ message }) => process.send({ error: message })))
  process.on('SIGTERM', async () => {
    await close()
    await server.stop()
    process.exit(0)
  })
  process.send({ host: server.address.host, pid: server.pid() })
} catch (error) {
  process.send({ refused: error instanceof PostgresError ? error.message : 'UNCLEAR ' + error.stack }, () => process.exit(1))
}`
