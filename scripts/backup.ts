import { backUp } from '../src/server/lifecycle/backup/backup.ts'
import { readArchiveArgument } from './command/archive-argument.ts'
import { runCommand } from './command/run-command.ts'

const FORCE = '--force'
const { path, given } = readArchiveArgument('npm run backup FILE (or: npm run backup -- FILE --force)', [
  FORCE,
])

/**
 * `npm run backup FILE`: writes the whole installation to one file, whether the server is running or not. Replaces an existing
 * archive only with `npm run backup -- FILE --force`.
 */
await runCommand('The backup', async (signal) => {
  const replaces = given.includes(FORCE)
  const { rows, tables, files, isRecorded } = await backUp(process.env, path, { replaces, signal })
  const unknown = isRecorded
    ? ''
    : ' The database did not accept the record of it, so the overview will not mention it.'
  return `${path} holds ${rows} rows of ${tables} tables, ${files} files and the key of the secrets. Keep it as safe as the installation.${unknown}`
})
