import { sql } from 'kysely'
import type { User } from '#shared/accounts/accounts.ts'
import { AppError } from '#shared/errors.ts'
import type { Language } from '#shared/primitives.ts'
import { may, type Principal } from '../access/access.ts'
import type { Platform } from '../platform.ts'
import { readUser } from './users.ts'

type Change = {
  bio?: string | null | undefined
  language?: Language | undefined
  writing_style_examples?: string[] | undefined
  preferences?: Record<string, unknown> | undefined
}

const preferencesMaxBytes = 65_536

/**
 * Changes what is given of profile and preferences and gives the user as it is then. Preferences
 * are merged key by key, so that two screens saving different keys keep both.
 * @throws AppError `too_large` when the preferences would pass 64 KB
 */
export async function updateProfile(deps: Platform, userId: string, change: Change): Promise<User> {
  const { bio, language, writing_style_examples: examples, preferences } = change
  const merged = sql<string>`preferences || ${JSON.stringify(preferences ?? {})}::jsonb`
  const updated = await deps.db
    .updateTable('users')
    .set({
      updated_at: deps.clock.now(),
      bio: bio === undefined ? undefined : bio || null,
      language,
      writing_style_examples: examples && JSON.stringify(examples),
      preferences: preferences && merged,
    })
    .where('id', '=', userId)
    .where(sql`octet_length((${merged})::text)`, '<=', preferencesMaxBytes)
    .returning('id')
    .executeTakeFirst()
  if (!updated) throw new AppError('too_large', 'The preferences may have 64 KB at most.')
  return readUser(deps, userId)
}

/** Companies an admin may choose from. */
export function listCompanies(
  { db }: Pick<Platform, 'db'>,
  principal: Principal,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('companies')
    .select(['id', 'name'])
    .where(may(principal, 'manage company'))
    .orderBy('name')
    .orderBy('id')
    .limit(10_000)
    .execute()
}
