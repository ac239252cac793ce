import { cleanCharacters } from '../../db/db.ts'
import type { UserDraft } from './user-draft.ts'

/** The full name of an account, null when the directory says none: the parts of a name, else what is displayed. */
export const nameOf = ({ displayName, givenName, familyName }: UserDraft) =>
  cleanCharacters(`${givenName} ${familyName}`.trim() || displayName.trim()).slice(0, 100) || null

/** The name after a change; where only the displayed name became another one, that counts. */
export function changedName(before: UserDraft, after: UserDraft): string | null {
  const hasSameParts = before.givenName === after.givenName && before.familyName === after.familyName
  const isDisplayed = hasSameParts && after.displayName !== before.displayName
  return nameOf(isDisplayed ? { ...after, givenName: '', familyName: '' } : after)
}

/** A language of the product, null for another one. */
export function languageOf({ language }: UserDraft): 'en' | 'fr' | null {
  const short = language?.slice(0, 2).toLowerCase()
  return short === 'en' || short === 'fr' ? short : null
}
