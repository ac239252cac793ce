import { BackupError, backUp } from '../src/server/backup/backup.ts'
import { ConfigError } from '../src/server/config.ts'
import { PostgresError } from '../src/server/db/db.ts'
import { SecretError } from '../src/server/secrets.ts'
import { runOnArchive } from './archive-command.ts'

/** `npm run backup FILE`: the whole installation as one file, while it runs or stands. */
await runOnArchive(
  'npm run backup FILE',
  async (path) => {
    const { rows, tables, files } = await backUp(process.env, path)
    return `${path} holds ${rows} rows of ${tables} tables, ${files} files and the key of the secrets. Keep it as safe as the installation.`
  },
  [BackupError, ConfigError, PostgresError, SecretError],
)
