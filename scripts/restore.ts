import { BackupError, restore } from '../src/server/backup/backup.ts'
import { ConfigError } from '../src/server/config.ts'
import { MigrationError, PostgresError } from '../src/server/db/db.ts'
import { SecretError } from '../src/server/secrets.ts'
import { runOnArchive } from './archive-command.ts'

/** `npm run restore FILE`: an archive of `npm run backup` into an empty installation. */
await runOnArchive(
  'npm run restore FILE',
  async (path) => {
    const { rows, files, from, at } = await restore(process.env, path)
    return `${rows} rows and ${files} files of ${at} (Atrium ${from}) are restored. Start it with npm start.`
  },
  [BackupError, ConfigError, MigrationError, PostgresError, SecretError],
)
