import { restore } from '../src/server/lifecycle/backup/backup.ts'
import { readArchiveArgument } from './command/archive-argument.ts'
import { runCommand } from './command/run-command.ts'

const { path } = readArchiveArgument('npm run restore FILE')

/** `npm run restore FILE`: restores an archive of `npm run backup` into an empty installation. */
await runCommand('The restore', async (signal) => {
  const { rows, files, from, at } = await restore(process.env, path, signal)
  return `${rows} rows and ${files} files of ${at} (Atrium ${from}) are restored. Start it with npm start.`
})
