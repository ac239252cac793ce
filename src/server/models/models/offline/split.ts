/** The end of a part: a semicolon, the end of a question, or a word that links the next part to it. */
const boundary =
  /;|(?<=[?!])\s(?=\S)|(?<=[\s;,])(?:and then|then|et puis|puis|et ensuite|ensuite|and(?= (?:add|multiply|divide|subtract|what|how|which|when|who|where|why)\b)|et(?= (?:multipli|divis|soustra|retir|enlèv|ajoute|combien|quel|qui|quand|comment|pourquoi)))(?=\s)|,(?= (?:add|multiply|divide|subtract|multipli|divise|soustrais|ajoute|retire|enlève)[\p{L}-]{0,9} )/giu
const greeting =
  /^(?:hi|hello|hey|good morning|good afternoon|good evening|bonjour|bonsoir|salut|coucou)(?: there| atrium)?[,.](?=\s)/i
/** A text with more parts stays whole, because each part may be a call. */
const mostParts = 50

export type TaskPart = { description: string; follows: boolean }

/**
 * Splits a task into parts: at "then", "puis", "ensuite", at "and" before another operation or question, after a question mark, and
 * at semicolons. `follows` marks a part that depends on the previous one.
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
