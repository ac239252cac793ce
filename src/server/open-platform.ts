import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maskModels } from './models/masking/masking.ts'
import type { ModelDeps } from './models/model-deps.ts'
import { type Models, observeModels } from './models/models/models.ts'
import { grantStartingBalance } from './money/billing/billing.ts'
import { createAudiences, createGrants, createNetworks } from './platform/access/access.ts'
import { createBus } from './platform/bus/bus.ts'
import { type Config, ConfigError } from './platform/config/config.ts'
import { type Address, connect, migrate, refuseHalfRestored } from './platform/db/db.ts'
import { createFiles } from './platform/files/files.ts'
import { type Instance, startInstance } from './platform/instances.ts'
import { createJobs } from './platform/jobs/jobs.ts'
import { openSecrets } from './platform/key-check/key-check.ts'
import type { Log } from './platform/log.ts'
import { createMailer, storedServer } from './platform/mail/mail.ts'
import { createMailbox } from './platform/mailbox/mailbox.ts'
import { createMcp, PROGRAM_FOLDERS } from './platform/mcp/mcp.ts'
import { createOutbound } from './platform/outbound/outbound.ts'
import { createParsing } from './platform/parsing/parsing.ts'
import type { Clock, Platform } from './platform/platform.ts'
import { clearFolders, MAX_SILENCE_MS } from './platform/process/own-folder.ts'
import { createSandbox } from './platform/sandbox/sandbox.ts'
import { observeJobs, openTelemetry } from './platform/telemetry/telemetry.ts'
import { openVectors, UnsafeLocation, type Vectors, vectorLocation } from './platform/vectors/vectors.ts'

export type OpenPlatform = {
  deps: ModelDeps
  /** Sets the address once the server listens. */
  setAddress: (url: string) => void
  close: () => Promise<void>
}

type Options = {
  config: Config
  address: Address
  log: Log
  clock?: Clock
  models: (platform: Platform) => Models
}

/** Age at which unmarked folders of old versions are removed: no reading takes that long. */
const UNMARKED_MS = 24 * 3_600_000

/** Concurrent searches; each occupies a database core. */
const MAX_CONCURRENT_SEARCHES = 2

/** Opens the platform on a running database and migrates its schema. */
export async function openPlatform({ config, address, log, clock, models }: Options): Promise<OpenPlatform> {
  const connection = connect(address, log)
  const forSearches = connect(address, log, { max: MAX_CONCURRENT_SEARCHES, givesWay: true })
  let listening = ''
  let instanceToStop: Instance | null = null
  try {
    await refuseHalfRestored(connection.pool)
    await migrate(connection.pool)
    const vectors = openVectors({ ...vectorLocation(config), l1Rows: config.ATRIUM_LIMIT_L1_PASSAGES })
    await refuseUnsafe(vectors, log)
    const instance = await startInstance({ ...connection, log, works: config.works })
    instanceToStop = instance
    const secrets = await openSecrets(config, connection.db, instance)
    const outbound = createOutbound()
    const telemetry = await openTelemetry(config, log)
    const bus = createBus(config, log)
    const base: Platform = {
      config,
      db: connection.db,
      searchDb: forSearches.db,
      log,
      clock: clock ?? { now: () => new Date() },
      bus,
      files: createFiles(config),
      mail: createMailer(config, storedServer(connection.db, secrets)),
      mailbox: createMailbox({ config, db: connection.db, instance, log }),
      instance,
      grants: createGrants({ db: connection.db, instance, log }),
      networks: createNetworks({ db: connection.db, instance, log }),
      audiences: createAudiences(),
      jobs: observeJobs(createJobs({ pool: connection.pool, instance, log }), telemetry),
      secrets,
      onNewAccount: (trx, userId) => grantStartingBalance(trx, config, userId),
      telemetry,
      outbound,
      mcp: createMcp(outbound, config.ATRIUM_TOOLS_PRIVATE),
      parsing: createParsing(config),
      sandbox: createSandbox(config),
      vectors,
      publicUrl: () => config.publicUrl ?? listening,
    }
    await clearRemains(config)
    const clearing = setInterval(() => void clearRemains(config), MAX_SILENCE_MS).unref()
    const deps: ModelDeps = { ...base, models: observeModels(maskModels(models(base), base), telemetry) }
    return {
      deps,
      setAddress: (url) => {
        listening = url
      },
      close: async () => {
        clearInterval(clearing)
        await deps.mailbox.stop()
        await deps.jobs.stop()
        await deps.parsing.close()
        await deps.sandbox.close()
        await deps.models.close()
        await deps.mcp.close()
        await deps.outbound.close()
        deps.vectors.close()
        await bus.close()
        await telemetry.close()
        await instance.stop()
        await forSearches.close()
        await connection.close()
      },
    }
  } catch (error) {
    await instanceToStop?.stop()
    await forSearches.close()
    await connection.close()
    throw error
  }
}

/** Removes temporary folders of killed processes, which may contain copies of documents. */
async function clearRemains({ dataDir }: Config): Promise<void> {
  const now = Date.now()
  const times = { now, unmarkedBefore: now - UNMARKED_MS }
  const work = clearFolders(join(dataDir, 'work'), ['read', 'box'], times)
  // Failed removals are retried in a few minutes.
  await Promise.allSettled([work, clearFolders(tmpdir(), [PROGRAM_FOLDERS], times)])
}

/** Prevents the start when the vector store would lose data. An unreachable store is checked again before its first use. */
async function refuseUnsafe(vectors: Vectors, log: Log): Promise<void> {
  try {
    await vectors.assertSafe()
  } catch (error) {
    if (error instanceof UnsafeLocation) throw new ConfigError(error.message)
    log.warn({ err: error }, 'the vector store does not answer')
  }
}
