/** A name that fits more documents than this names none. */
const MAX_NAMED = 5
const MIN_PREFIX = 5
/** The share of a name's words that a question must contain. */
const MIN_SHARE = 0.6
const MAX_WORDS = 40

/** Words of names that only tell the kind or date of a document. */
const KIND =
  /^(?:\d+|(?:19|20)\d\d(?:q[1-4])?|q[1-4]|fy\d{2,4}|10k|10q|8k|20f|v\d+|annual|quarterly|report|reports|earnings|results|filing|final|draft|copy|dated|document|documents|doc|file|scan|page|the|of|and|for|in|on|to|rapport|annuel|document|fichier|copie|version|bericht|kopie|datei|entwurf|informe|anual|copia|archivo|le|la|les|de|du|des|et|der|die|das|und|el|los|las)$/
const YEAR = /(?:19|20)\d\d/g

/** Returns words of a question that a name may contain, alone and joined with the next: "Best Buy" is also "bestbuy". */
export function nameWordsOf(question: string): string[] {
  const words = wordsOf(question)
  const pairs = words.flatMap((word, at) => {
    const next = words[at + 1]
    return next === undefined ? [] : [word + next]
  })
  const alone = words.filter((word) => !KIND.test(word) && (word.length >= 3 || /\d/.test(word)))
  return [...new Set([...alone, ...pairs])].slice(0, 2 * MAX_WORDS)
}

/** Returns the ids of the documents that a question names. If it mentions years, only documents of these years count. */
export function chooseNamed(question: string, documents: readonly { id: string; name: string }[]): string[] {
  const said = new Set(nameWordsOf(question))
  const rated = documents.flatMap(({ id, name }) => {
    const words = [...new Set(wordsOf(withoutExtension(name)).filter((word) => !KIND.test(word)))]
    const matched = words.filter((word) => isSaid(word, said)).length
    const share = words.length === 0 ? 0 : matched / words.length
    return share >= MIN_SHARE ? [{ id, name, matched }] : []
  })
  const most = Math.max(0, ...rated.map(({ matched }) => matched))
  const best = rated.filter(({ matched }) => matched === most)
  const years = question.match(YEAR) ?? []
  const ofYear = best.filter(({ name }) => years.some((year) => name.includes(year)))
  const named = ofYear.length > 0 ? ofYear : best
  return named.length <= MAX_NAMED ? named.map(({ id }) => id) : []
}

const isSaid = (word: string, said: ReadonlySet<string>) =>
  said.has(word) || [...said].some((one) => one.length >= MIN_PREFIX && word.startsWith(one))

const withoutExtension = (name: string) => name.replace(/\.[a-z0-9]{1,5}$/i, '')

function wordsOf(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s(?!\p{L})/gu, '')
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS)
}
