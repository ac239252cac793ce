import { readUser } from '../../identity/accounts/accounts.ts'
import type { Person } from '../../platform/access/access.ts'
import type { Platform } from '../../platform/platform.ts'

/** Reads a user with their current rights. */
export async function readPerson(deps: Pick<Platform, 'db' | 'config'>, userId: string): Promise<Person> {
  return { kind: 'user', ...(await readUser(deps, userId)) }
}
