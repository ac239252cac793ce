export const PRODUCT_NAME = 'Atrium'

/** The product's name, with a French elision before it. In quotation marks it is a word that people may not use. */
const named = /(?<![“«]\s?)(?:\b([dD]|[qQ]u)’)?\bAtrium\b/g
const vowel = /^[aeiouyàâäéèêëîïôöûüh]/i

/** Returns texts, nested or not, in which the product has another name. A null name changes nothing. */
export function renameProduct<T>(texts: T, name: string | null): T {
  if (name === null) return texts
  return rename(texts, (text) =>
    text.replace(named, (_, elided?: string) => (elided ? elide(elided, name) : name)),
  ) as T
}

const elide = (word: string, name: string) => (vowel.test(name) ? `${word}’${name}` : `${word}e ${name}`)

function rename(texts: unknown, change: (text: string) => string): unknown {
  if (typeof texts === 'string') return change(texts)
  if (Array.isArray(texts)) return texts.map((one) => rename(one, change))
  if (typeof texts !== 'object' || texts === null) return texts
  return Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, rename(value, change)]))
}
