import type { Language } from '#shared/platform/primitives.ts'

type Reading = { passages: number; documents: number; tokens: number; dollars: number | null; model: string }

/** Asks the user to confirm the cost of a large reading. */
export function askCost(language: Language, reading: Reading): string {
  const { passages, documents, tokens, dollars, model } = reading
  const count = (value: number) => value.toLocaleString(language)
  const amount =
    dollars?.toLocaleString(language, {
      ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
      minimumFractionDigits: 2,
    }) ?? null
  const what = words[language](documents === 0 ? '' : count(documents), documents)
  return language === 'fr'
    ? `Lire ${what} en entier, soit ${count(passages)} passages, avec ${model}\u202f? Environ ${count(tokens)} jetons seront utilisés, ${amount === null ? 'à un prix inconnu' : `pour environ ${amount}`}.`
    : `Read ${what} in full, ${count(passages)} passages, with ${model}? That takes about ${count(tokens)} tokens, ${amount === null ? 'at a price that is not known' : `about ${amount}`}.`
}

const words = {
  en: (count: string, documents: number) =>
    documents === 0 ? 'this text' : documents === 1 ? '1 document' : `${count} documents`,
  fr: (count: string, documents: number) =>
    documents === 0 ? 'ce texte' : documents === 1 ? '1 document' : `${count} documents`,
}

/** Says that a text without a document does not mention the subject. */
export const sayNothing = (language: Language): string =>
  language === 'fr' ? 'Le texte ne dit rien à ce sujet.' : 'The text says nothing about this.'
