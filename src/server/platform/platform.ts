import type { Audiences, Grants, Networks } from './access/access.ts'
import type { Bus } from './bus/bus.ts'
import type { Config } from './config/config.ts'
import type { Database } from './db/db.ts'
import type { FileStore } from './files/files.ts'
import type { Instance } from './instances.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/mail.ts'
import type { Mailbox } from './mailbox/mailbox.ts'
import type { Mcp } from './mcp/mcp.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Parsing } from './parsing/parsing.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { Secrets } from './secrets.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import type { Vectors } from './vectors/vectors.ts'

/** Current time; tests replace it. */
export type Clock = { now(): Date }

/** Dependencies of all features. A use case takes those it needs with `Pick`. */
export type Platform = {
  config: Config
  db: Database
  /** The same database for heavy searches: a few low-priority connections. */
  searchDb: Database
  log: Log
  clock: Clock
  bus: Bus
  files: FileStore
  mail: Mailer
  /** Receives mails. */
  mailbox: Mailbox
  jobs: Jobs
  /** This process among all that share the database. */
  instance: Instance
  /** Decides who may use which model, tool, assistant and feature. */
  grants: Grants
  /** Decides from which addresses the people of a company may act. */
  networks: Networks
  /** Tells who reads the replies of a chat in a channel. */
  audiences: Audiences
  /** Access to addresses named by users, models or pages. */
  outbound: Outbound
  /** Model Context Protocol servers. */
  mcp: Mcp
  /** Parses documents in separate processes. */
  parsing: Parsing
  /** Runs untrusted programs. */
  sandbox: Sandbox
  secrets: Secrets
  /** Runs inside the transaction that creates an account. */
  onNewAccount: (trx: Database, userId: string) => Promise<void>
  /** Metrics and traces, if an administrator enables them. */
  telemetry: Telemetry
  /** Passages with their vectors. The database decides what belongs in it. */
  vectors: Vectors
  /** Public URL without a trailing slash; known once the server listens. */
  publicUrl: () => string
}
