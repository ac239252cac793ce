import type { Person } from '../access/access.ts'
import { readUser } from '../accounts/accounts.ts'
import type { RagDeps } from './find-passages.ts'

/** The person of a run as they are now: what they may see may have changed since it began. */
export async function readPerson(deps: Pick<RagDeps, 'db' | 'config'>, userId: string): Promise<Person> {
  return { kind: 'user', ...(await readUser(deps, userId)) }
}
