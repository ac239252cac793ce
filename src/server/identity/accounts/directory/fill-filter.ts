/** Matches every entry that has the attribute. */
export const ANY = Symbol('any')

/** Fills placeholders of a search filter, such as `{login}`. Values are escaped (RFC 4515, 3). */
export function fillFilter(filter: string, values: Record<string, string | typeof ANY>): string {
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, () => (value === ANY ? '*' : escapeValue(value))),
    filter,
  )
}

function escapeValue(value: string): string {
  return value.replace(
    /[\\*()\0]/g,
    (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
