import type { Grants } from './access/access.ts'
import type { Bus } from './bus/bus.ts'
import type { Config } from './config/config.ts'
import type { Database } from './db/db.ts'
import type { FileStore } from './files/files.ts'
import type { Instance } from './instances.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/mail.ts'
import type { Mcp } from './mcp/mcp.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Parsing } from './parsing/parsing.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { Secrets } from './secrets.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import type { Vectors } from './vectors/vectors.ts'

/** Time, so that a test can decide what time it is. */
export type Clock = { now(): Date }

/** What every feature stands on; a use-case takes the few it needs with `Pick`. */
export type Platform = {
  config: Config
  db: Database
  /** The same database for what looks through much: a few connections that give way to the others. */
  searchDb: Database
  log: Log
  clock: Clock
  bus: Bus
  files: FileStore
  mail: Mailer
  jobs: Jobs
  /** This process among all that share the database. */
  instance: Instance
  /** Who may use which model, tool, assistant and feature. */
  grants: Grants
  /** The way to addresses that people, models or pages name. */
  outbound: Outbound
  /** Servers that speak the Model Context Protocol. */
  mcp: Mcp
  /** Reads documents, in processes of their own. */
  parsing: Parsing
  /** Runs programs that nobody vouches for. */
  sandbox: Sandbox
  secrets: Secrets
  /** Runs inside the transaction that creates an account. */
  onNewAccount: (trx: Database, userId: string) => Promise<void>
  /** Metrics and traces, where an administrator wants them. */
  telemetry: Telemetry
  /** Passages with their vectors; what belongs into it the database decides. */
  vectors: Vectors
  /** Where people reach the product; known once the server listens. No slash at the end. */
  publicUrl: () => string
}
