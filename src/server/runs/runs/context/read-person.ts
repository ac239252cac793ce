import { readUser } from '../../../identity/accounts/accounts.ts'
import type { Person } from '../../../platform/access/access.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { RunInput } from './run-context.ts'

/** Returns the principal a run reads with, with current rights, which may have changed since it started. In a channel it reads for all members. */
export async function readPerson(
  deps: Pick<Platform, 'db' | 'config' | 'audiences'>,
  { session_id, user_id, visitor }: Pick<RunInput, 'session_id' | 'user_id' | 'visitor'>,
): Promise<Person> {
  const user = await readUser(deps, user_id)
  const audience = await deps.audiences.of(session_id)
  return {
    ...(visitor ? { kind: 'visitor' as const, visitor } : { kind: 'user' as const }),
    ...{ ...user, ...(audience && { audience }) },
  }
}
