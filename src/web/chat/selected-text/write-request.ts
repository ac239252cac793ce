/** Returns a text as a Markdown quotation. */
export const quote = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

/** Languages that a text is translated into, besides those of the interface. */
const MORE = ['de', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'ar', 'zh', 'ja']

/** Returns the languages to translate into: the other one of the interface first, then others by name. */
export function targetLanguages(own: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames([own], { type: 'language' })
  const named = (code: string) => ({ code, name: names.of(code) ?? code })
  const [other, same] = own === 'fr' ? ['en', 'fr'] : ['fr', 'en']
  const others = MORE.map(named).toSorted((a, b) => a.name.localeCompare(b.name, own))
  return [named(other), named(same), ...others]
}
