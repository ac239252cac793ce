import type { SecretValues } from '#shared/tools/own-tools/http-call.ts'
import type { Platform } from '../../platform/platform.ts'
import { findSecrets } from './store.ts'

/** Dependencies of own tools. */
export type OwnToolDeps = Pick<
  Platform,
  'db' | 'secrets' | 'outbound' | 'mcp' | 'config' | 'clock' | 'log' | 'publicUrl'
>

/** Returns the decrypted secrets of a set. */
export async function openSecrets(
  { db, secrets }: Pick<OwnToolDeps, 'db' | 'secrets'>,
  setId: string,
): Promise<SecretValues> {
  const rows = await findSecrets(db, setId)
  return Object.fromEntries(rows.map(({ name, sealed }) => [name, secrets.open(sealed)]))
}
