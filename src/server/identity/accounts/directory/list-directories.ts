import type { Platform } from '../../../platform/platform.ts'
import { listProviderRows, type ProviderRow } from '../sign-on/sign-on.ts'
import { createDirectory, type Directory } from './directory.ts'
import { environmentDirectory, storedDirectory } from './directory-settings.ts'

/** Returns the directories in use: that of the environment first, then the stored ones, oldest first. */
export async function listDirectories({
  config,
  db,
  secrets,
  log,
}: Pick<Platform, 'config' | 'db' | 'secrets' | 'log'>): Promise<Directory[]> {
  const own = environmentDirectory(config)
  const stored = (await listProviderRows(db)).filter(({ is_enabled: isEnabled }) => isEnabled)
  return [
    ...(own ? [createDirectory(own, { log })] : []),
    ...stored.flatMap((row) => directoryOf(row, (sealed) => secrets.open(sealed), log)),
  ]
}

function directoryOf(
  { id, name, settings, secret_sealed: sealed, trusts_addresses: trustsAddresses }: ProviderRow,
  open: (sealed: string) => string,
  log: Platform['log'],
): Directory[] {
  if (settings.kind !== 'ldap') return []
  const password = sealed === null ? '' : open(sealed)
  return [createDirectory(storedDirectory(settings, { id, password, trustsAddresses }), { name, log })]
}
