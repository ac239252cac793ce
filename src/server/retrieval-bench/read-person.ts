import type { Person } from '../access/access.ts'
import { readUser } from '../accounts/accounts.ts'
import type { Platform } from '../platform.ts'

/** Somebody as they are now: what they may see may have changed. */
export async function readPerson(deps: Pick<Platform, 'db' | 'config'>, userId: string): Promise<Person> {
  return { kind: 'user', ...(await readUser(deps, userId)) }
}
