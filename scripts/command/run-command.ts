import { BackupError } from '../../src/server/lifecycle/backup/backup.ts'
import { ConfigError } from '../../src/server/platform/config/config.ts'
import { MigrationError, PostgresError } from '../../src/server/platform/db/db.ts'
import { explainFailure } from '../../src/server/platform/explain-failure.ts'
import { SecretError } from '../../src/server/platform/secrets.ts'
import { AppError } from '../../src/shared/platform/errors.ts'
import { prepareEnvironment } from '../environment.ts'

/** Errors whose message is shown to the person at the terminal. */
const expected = [AppError, BackupError, ConfigError, MigrationError, PostgresError, SecretError]
/** Milliseconds that a stopped command has for cleanup. */
const CLEAN_UP_MS = 15_000

/**
 * Runs a command with the settings of `.env` and prints its result. Any failure ends with one line and exit code 1.
 * A first SIGINT or SIGTERM aborts `signal`, so that the command can clean up; a second one ends the process.
 */
export async function runCommand(
  name: string,
  work: (signal: AbortSignal) => Promise<string>,
): Promise<void> {
  prepareEnvironment()
  const stopping = new AbortController()
  const fail = (error: unknown) => {
    console.error(explainFailure(name, error, [...expected, Stopped]))
    process.exit(1)
  }
  process.on('uncaughtException', fail)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(1)
      stopping.abort(new Stopped(`${name} was stopped.`))
      setTimeout(() => process.exit(1), CLEAN_UP_MS).unref()
    })
  }
  try {
    console.log(await work(stopping.signal))
    process.exit(0)
  } catch (error) {
    fail(stopping.signal.aborted ? stopping.signal.reason : error)
  }
}

class Stopped extends Error {}
