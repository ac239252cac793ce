import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { type Config, ConfigError } from '../../platform/config/config.ts'
import {
  type Address,
  borrowPostgres,
  type Connection,
  connect,
  explainRefusal,
  startPostgres,
} from '../../platform/db/db.ts'
import { createLog } from '../../platform/log.ts'
import { BackupError } from './backup-error.ts'

export type Borrowed = Connection & {
  client: pg.PoolClient
  /** Whether the embedded database was created for this. */
  isNew: boolean
  giveBack: () => Promise<void>
}

const log = createLog('silent')

/** Connects to the database of an installation: its server's, or one started for the duration. */
export async function borrowDatabase(config: Config): Promise<Borrowed> {
  const { DATABASE_URL, dataDir } = config
  if (!DATABASE_URL && !hasCluster(dataDir))
    throw new BackupError(`There is nothing to back up in ${dataDir}: Atrium was never started there.`)
  if (DATABASE_URL) return takeDatabase(config)
  const { address, stop } = await borrowPostgres({ dataDir, log })
  return open(address, stop)
}

/** Opens the database of a stopped installation. @throws PostgresError while a server uses the data folder */
export async function takeDatabase({ DATABASE_URL, dataDir }: Config): Promise<Borrowed> {
  if (DATABASE_URL) return open({ url: DATABASE_URL }, async () => undefined)
  const isNew = !hasCluster(dataDir)
  const postgres = await startPostgres({ dataDir, log })
  return open(postgres.address, () => postgres.stop(), isNew)
}

const hasCluster = (dataDir: string) => existsSync(join(dataDir, 'postgres', 'PG_VERSION'))

async function open(address: Address, stop: () => Promise<void>, isNew = false): Promise<Borrowed> {
  const connection = connect(address, log, { max: 2 })
  const close = async () => {
    await connection.close()
    await stop()
  }
  try {
    const client = await connection.pool.connect()
    const giveBack = async () => {
      // Destroys the connection, so that nothing uncommitted survives.
      client.release(true)
      await close()
    }
    return { ...connection, client, isNew, giveBack }
  } catch (error) {
    await close()
    const refusal = 'url' in address ? explainRefusal(error) : null
    throw refusal ? new ConfigError(`DATABASE_URL is wrong: ${refusal}.`) : error
  }
}
