import { cleanLabel } from '#shared/platform/labels.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import type { UserDraft } from './user-draft.ts'

/** Returns the full name from the name parts, else the display name, else null. */
export const nameOf = ({ displayName, givenName, familyName }: UserDraft) =>
  cleanLabel(cleanCharacters(`${givenName} ${familyName}`.trim() || displayName))
    .trim()
    .slice(0, 100) || null

/** Returns the name after a change. If only the display name changed, it is used. */
export function changedName(before: UserDraft, after: UserDraft): string | null {
  const hasSameParts = before.givenName === after.givenName && before.familyName === after.familyName
  const isDisplayed = hasSameParts && after.displayName !== before.displayName
  return nameOf(isDisplayed ? { ...after, givenName: '', familyName: '' } : after)
}

/** Returns a supported language, else null. */
export function languageOf({ language }: UserDraft): 'en' | 'fr' | null {
  const short = language?.slice(0, 2).toLowerCase()
  return short === 'en' || short === 'fr' ? short : null
}
