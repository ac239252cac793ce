import { plain, sentencesOf, standsIn } from '#shared/tools/tools/asked-for.ts'

/** A wish to search, followed by its subject. */
const wish =
  /^(?:please |can you |could you |peux-tu |pouvez-vous |merci de )?(?:search|google|look up|look|find|cherche|cherchez|chercher|recherche|recherchez|rechercher|trouve|trouvez)(?: (?:the web|on the web|online|the internet|on the internet|sur le web|sur internet|en ligne))?(?: (?:for|up|about))? (.+)$/
const where = / (?:on the web|online|on the internet|sur le web|sur internet|en ligne)$/
/** A question that can only be answered from outside. */
const outside = /\b(?:web|internet|online|news|en ligne|actualité|actualités)\b/

/**
 * Returns whether a message asks to search for exactly this: everything a wish to search names, or the whole of a question
 * about news or the web. `isChosen`: any question, because the person chose the search for it.
 */
export function isQueryAsked(query: string, message: string, isChosen: boolean): boolean {
  if (!standsIn(query, message)) return false
  const sentences = sentencesOf(message)
  const wanted = plain(query)
  return sentences.some(({ text, isQuestion }) => {
    const named = wish.exec(text)?.[1]
    if (named !== undefined && [named, named.replace(where, '')].map(plain).includes(wanted)) return true
    if (text !== wanted) return false
    return isChosen ? isQuestion || sentences.length === 1 : isQuestion && outside.test(text)
  })
}
