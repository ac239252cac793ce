/** Items that are extracted from a text by their form. */
export type Kind = 'emails' | 'links' | 'phones' | 'dates' | 'amounts'

const patterns: Record<Exclude<Kind, 'emails'>, RegExp> = {
  links: /(?:https?:\/\/|\bwww\.)[^\s<>"'()[\]]+/gi,
  phones: /[+(]?\d[\d ().\u00a0\u202f/-]{6,20}\d/g,
  dates:
    /\b(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|(?:\d{1,2}(?:er|st|nd|rd|th)? )(?:january|february|march|april|may|june|july|august|september|october|november|december|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)(?: \d{4})?|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?)(?![\d\p{L}])/giu,
  amounts:
    /(?:[€$£] ?\d{1,12}(?:[.,\u00a0\u202f ]\d{1,3}){0,4}|\d{1,12}(?:[.,\u00a0\u202f ]\d{1,3}){0,4}[ \u00a0\u202f]?(?:[€$£]|(?:euros?|dollars?|eur|usd|gbp|chf)(?!\p{L})))/giu,
}

/** Returns each item once, in the order of the text. */
export function findInText(kind: Kind, text: string): string[] {
  const found = kind === 'emails' ? findAddresses(text) : (text.match(patterns[kind]) ?? [])
  const trimmed = found.map((one) => one.replace(/[.,;:!?]$/, '').trim())
  return [...new Set(kind === 'phones' ? trimmed.filter(isPhone) : trimmed)]
}

/** Finds words with one @ and a domain after it. A regular expression would backtrack from every @. */
function findAddresses(text: string): string[] {
  const words = text.split(/[\s<>()[\],;:"'“”«»]/).map((word) => word.replace(/[.!?]$/, ''))
  return words.filter((word) => {
    const [name = '', domain = '', ...more] = word.split('@')
    return (
      more.length === 0 && /^[\w.+-]{1,64}$/.test(name) && /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}$/.test(domain)
    )
  })
}

/** Returns whether a text has eight to fifteen digits and begins like a number to dial. */
function isPhone(text: string): boolean {
  const digits = text.match(/\d/g)?.length ?? 0
  return /^[+(0]/.test(text) && digits >= 8 && digits <= 15 && !/^0?\d[/.]\d{1,2}[/.]\d{2,4}$/.test(text)
}
