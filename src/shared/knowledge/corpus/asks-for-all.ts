/** Words for documents in a library. */
const things = new Set(
  (
    'document documents file files contract contracts agreement agreements invoice invoices report reports letter letters mail mails email emails ' +
    'note notes offer offers quote quotes clause clauses fichier fichiers contrat contrats accord accords facture factures rapport rapports lettre ' +
    'lettres courriel courriels offre offres devis'
  ).split(' '),
)

/** Phrases that ask for all of anything. */
const forms = [
  /(?<!\p{L})how (?:many|often)(?!\p{L})/iu,
  /(?<!\p{L})(?:list|name|count|enumerate|compare|find|show|give)(?: me)? (?:all|every|each|any and all)(?!\p{L})/iu,
  /(?<!\p{L})(?:list|count|enumerate) (?:the|my|our)(?!\p{L})/iu,
  /(?<!\p{L})combien (?:de |d['’])/iu,
  /(?<!\p{L})(?:liste[rz]?|énumère[rz]?|énumérez|compte[rz]?|recense[rz]?|compare[rz]?|trouve[rz]?|donne[rz]?)(?:[- ]moi)? (?:tous|toutes|chaque|chacun)(?!\p{L})/iu,
  /(?<!\p{L})(?:liste[rz]?|énumère[rz]?|énumérez|recense[rz]?) (?:les|mes|nos)(?!\p{L})/iu,
]
/** Phrases that ask for all of a named thing, when that thing is a kind of document. */
const naming = [
  /(?<!\p{L})(?:in|of|across|over|through|from|among) (?:all|every|each)(?: of)?(?: (?:the|my|our|these))? (\p{L}+)/giu,
  /^(?:which|what)(?: of (?:the|my|our))? (\p{L}+)/giu,
  /(?<!\p{L})(?:dans|de|sur|parmi|à travers) (?:tous|toutes) (?:les|mes|nos|ces) (\p{L}+)/giu,
  /(?<!\p{L})(?:dans|de|sur|parmi|à travers) (?:chaque|chacun de[s]?) ?(?:mes |nos )?(\p{L}+)/giu,
  /^quel(?:le)?s (?:sont (?:tous |toutes )?(?:les|mes|nos) )?(\p{L}+)/giu,
]
/** Maximum length of a question, in characters; longer texts are not examined. */
const MAX_CHARACTERS = 1_000

/** Returns true when a question needs all documents: how many, list all, compare all, which contracts. */
export function asksForAll(question: string): boolean {
  const asked = readable(question)
  return (
    forms.some((form) => form.test(asked)) ||
    naming.some((form) => Array.from(asked.matchAll(form)).some(([, thing = '']) => isThing(thing)))
  )
}

/** Returns true when a question names documents. */
export const namesDocuments = (question: string): boolean =>
  Array.from(readable(question).matchAll(/\p{L}+/gu)).some(([word]) => isThing(word))

const isThing = (word: string) => things.has(word.toLowerCase())
const readable = (question: string) => question.trim().replace(/\s+/g, ' ').slice(0, MAX_CHARACTERS)
