/** Where a part ends: at a semicolon, after a question, or at a word that makes the next one go on from it. */
const boundary =
  /;|(?<=[?!])\s(?=\S)|(?<=[\s;,])(?:and then|then|et puis|puis|et ensuite|ensuite|and(?= (?:add|multiply|divide|subtract|what|how|which|when|who|where|why)\b)|et(?= (?:multipli|divis|soustra|retir|enlèv|ajoute|combien|quel|qui|quand|comment|pourquoi)))(?=\s)|,(?= (?:add|multiply|divide|subtract|multipli|divise|soustrais|ajoute|retire|enlève)[\p{L}-]{0,9} )/giu
const greeting =
  /^(?:hi|hello|hey|good morning|good afternoon|good evening|bonjour|bonsoir|salut|coucou)(?: there| atrium)?[,.](?=\s)/i
/** A task of more parts is one thing: nobody writes so many, and each may be a call. */
const mostParts = 50

export type TaskPart = { description: string; follows: boolean }

/**
 * The parts of a task: split on "then", "puis", "ensuite", on "and" before what is done with a result or asked next,
 * behind a question mark, and on semicolons.
 */
export function splitTask(text: string): TaskPart[] {
  const parts: TaskPart[] = []
  let from = greeting.exec(text)?.[0].length ?? 0
  let isLinked = false
  const take = (to: number, endsWithLink: boolean) => {
    const piece = text.slice(from, to).trim()
    const description = endsWithLink ? piece.replace(/[,.]$/, '') : piece
    if (/[\p{L}\p{N}]/u.test(description)) parts.push({ description, follows: isLinked && parts.length > 0 })
    isLinked = endsWithLink
  }
  if (from > 0) parts.push({ description: text.slice(0, from - 1), follows: false })
  for (const { 0: separator, index } of text.matchAll(boundary)) {
    take(index, separator !== ';')
    from = index + separator.length
    if (parts.length > mostParts) return [{ description: text, follows: false }]
  }
  take(text.length, false)
  return parts
}
