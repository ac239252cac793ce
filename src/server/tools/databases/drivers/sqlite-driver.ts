import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { FoundTable, Value } from '#shared/tools/databases/databases.ts'
import { codeUrl } from '../../../platform/process/checkout.ts'
import { ownModulesOnly } from '../../../platform/process/own-modules.ts'
import { type Driver, type Reach, tooMuch, watch } from './driver.ts'

const child = fileURLToPath(codeUrl('src/server/tools/databases/drivers/sqlite-child.ts'))
/** Heap of the process that reads the file, in megabytes. */
const HEAP_MB = 192

const Said = z.union([
  z.object({ columns: z.array(z.object({ name: z.string(), is_number: z.boolean() })) }),
  z.object({ rows: z.array(z.array(Value)) }),
  z.object({ tables: z.array(FoundTable) }),
  z.object({ version: z.string() }),
  z.object({ failed: z.string() }),
  z.object({ done: z.literal(true) }),
])
type Said = z.infer<typeof Said>

/** SQLite files are opened read-only in a process of their own, which can be ended in the middle of a query. */
export const sqliteDriver: Driver = {
  inspect: async (reach, signal) => {
    let version = ''
    await inChild(reach, { what: 'version' }, signal, (said) => {
      if ('version' in said) version = said.version
      return true
    })
    return { is_read_only: true, privileges: [], version: `SQLite ${version}` }
  },
  listTables: async (reach, signal) => {
    let tables: FoundTable[] = []
    await inChild(reach, { what: 'tables' }, signal, (said) => {
      if ('tables' in said) tables = said.tables
      return true
    })
    return tables
  },
  run: (reach, { sql, tables, signal, onColumns, onRow }) => {
    const allowed = tables.map(({ name, columns }) => ({ name, columns }))
    return inChild(reach, { what: 'query', sql, tables: allowed }, signal, (said) => {
      if ('columns' in said) onColumns(said.columns)
      return 'rows' in said ? said.rows.every(onRow) : true
    })
  },
}

/** Runs a task in a process and hands over what it says. Ends the process when `on` returns false. */
function inChild(
  reach: Reach,
  task: object,
  signal: AbortSignal,
  on: (said: Said) => boolean,
): Promise<void> {
  const reader = fork(child, [], {
    execArgv: [...ownModulesOnly, `--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let received = 0
  const watched = watch(reach, signal, { received: () => received, stop: () => reader.kill('SIGKILL') })
  return new Promise<void>((resolve, reject) => {
    reader.on('message', (message) => {
      const said = Said.parse(message)
      if ('rows' in said) received += JSON.stringify(said.rows).length
      if ('failed' in said)
        reject(new AppError('invalid', `The database refused this: ${said.failed.slice(0, 500)}`))
      else if ('done' in said || !on(said)) resolve()
      else if ('rows' in said) answer(reader)
    })
    reader.once('error', reject)
    reader.once('exit', () => reject(watched.reason() ?? tooMuch()))
    reader.send({ ...task, path: reach.database })
  })
    .catch((error) => {
      throw watched.reason() ?? error
    })
    .finally(() => {
      watched.done()
      reader.kill('SIGKILL')
    })
}

/** Asks for the next rows. */
function answer(reader: ChildProcess): void {
  if (reader.connected) reader.send({ more: true })
}
