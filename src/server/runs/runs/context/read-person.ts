import { readUser } from '../../../identity/accounts/accounts.ts'
import type { Person } from '../../../platform/access/access.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { RunInput } from './run-context.ts'

/** Returns the principal a run reads with, with current rights, which may have changed since it started. */
export async function readPerson(
  deps: Pick<Platform, 'db' | 'config'>,
  { user_id, visitor }: Pick<RunInput, 'user_id' | 'visitor'>,
): Promise<Person> {
  const user = await readUser(deps, user_id)
  return visitor ? { kind: 'visitor', ...user, visitor } : { kind: 'user', ...user }
}
