import type { Kysely } from 'kysely'
import { languageOf } from '#shared/platform/citations/text-language.ts'
import type { Principal } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { type Scope, samplePassages } from '../../search/search.ts'

/** Number of sampled passages; ids are random, so their order is too. */
const SAMPLE = 200
const CHARACTERS = 600
/** A language with a smaller share is a quotation. */
const MIN_SHARE = 0.02
const MAX_LANGUAGES = 3

/** Returns the languages of a scope as ISO 639-1 codes, the most frequent first. */
export async function findLibraryLanguages(
  db: Kysely<Tables>,
  principal: Principal,
  scope: Scope,
): Promise<string[]> {
  const rows = await samplePassages(db, principal, scope, { most: SAMPLE, characters: CHARACTERS })
  const counts = new Map<string, number>()
  for (const { text, language } of rows) {
    const found = languageOf(text) ?? language
    if (found) counts.set(found, (counts.get(found) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count >= MIN_SHARE * rows.length)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MAX_LANGUAGES)
    .map(([language]) => language)
}
