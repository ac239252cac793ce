/** Longer messages contain pasted text, so only their first paragraph counts. */
const MAX_OWN = 1_500
const MAX_PARAGRAPH = 500
/** Characters of a message that are looked at. */
const MAX_READ = 6_000
/** Quoted words from this number on are somebody else's sentence and not a name. */
const MIN_QUOTED_WORDS = 4

/** The first line of a mail, or of a quoted one. */
const MAIL_HEADER =
  /^(?:(?:from|to|cc|subject|sent|date|de|à|objet|envoyé(?: le)?) ?:|--.{0,80}(?:message|original|forwarded|transféré)|begin forwarded message|on .{5,80} wrote ?:|le .{5,80} a écrit ?:)/iu
const REQUEST =
  /^(?:please|kindly|can you|could you|would you|will you|(?:i|we) (?:want|need|would like|['’]d like) you|s['’]il (?:te|vous) pla[iî]t|peux[- ]tu|pouvez[- ]vous|summari[sz]e|translate|read|open|write|rewrite|draft|check|correct|fix|review|explain|describe|compare|list|show|find|search|look|give|tell|make|create|generate|calculate|compute|convert|analy[sz]e|extract|classify|sort|use|follow|do|answer|reply|help|fetch|browse|visit|consult|go|let['’]?s|redo|update|remove|delete|add|change|rename|plan|suggest|propose|continue|send|prepare|put|run|try|start|stop|move|set|count|sum|draw|plot|improve|shorten|expand|turn|split|merge|format|sketch|refai[st](?:es)?|ajoute[rz]?|supprime[rz]?|change[rz]?|modifie[rz]?|propose[rz]?|continue[rz]?|pr[ée]pare[rz]?|envoie|envoye[rz]|mets|mettez|compte[rz]?|dessine[rz]?|am[ée]liore[rz]?|raccourci[st](?:sez)?|r[ée]sume[rz]?|tradui[st](?:ez)?|lis(?:ez)?|ouvre[rz]?|[ée]cri[st](?:vez)?|r[ée]dige[rz]?|v[ée]rifie[rz]?|corrige[rz]?|explique[rz]?|d[ée]cri[st](?:vez)?|compare[rz]?|liste[rz]?|montre[rz]?|trouve[rz]?|cherche[rz]?|donne[rz]?|dis|dites|fai[st](?:es)?|cr[ée]e[rz]?|g[ée]n[èe]re[rz]?|calcule[rz]?|convertis(?:sez)?|analyse[rz]?|extrai[st](?:yez)?|utilise[rz]?|suis|suivez|r[ée]ponds?|aide[rz]?|consulte[rz]?)(?![\p{L}\p{N}])/iu
const QUESTION_WORD =
  /^(?:who|what|when|where|why|how|which|whose|is|are|was|were|does|did|has|have|should|shall|may|might|qui|que|quoi|quand|où|pourquoi|comment|combien|quel(?:le)?s?|est-ce|qu['’]est-ce)(?![\p{L}\p{N}'’])/iu
/** A sentence that points to a text, which follows it. */
const TEXT_OF_OTHERS =
  /(?<![\p{L}\p{N}])(?:(?:the )?following|below|pasted|here(?:['’]s| (?:is|are)) (?:the|an?|my|our|what|some|his|her|their)|th(?:is|ese|ose) (?:\p{L}+ )?(?:texts?|e-?mails?|mails?|messages?|pages?|articles?|documents?|letters?|notes?|paragraphs?|contracts?|files?|reports?|reviews?|comments?|quotes?|passages?|posts?|transcripts?|minutes|extracts?)|ci-dessous|ci-apr[èe]s|suivante?s?|voici|voil[àa]|c(?:e|et|ette|es) (?:\p{L}+ )?(?:textes?|e-?mails?|mails?|courriels?|messages?|pages?|articles?|documents?|lettres?|notes?|paragraphes?|contrats?|fichiers?|rapports?|avis|commentaires?|citations?|passages?|extraits?|comptes? rendus?))(?![\p{L}\p{N}])/iu
/** A sentence that reports what somebody or something else says. */
const REPORTED =
  /(?<![\p{L}\p{N}])(?:according to|(?<!\b(?:i|we) )(?:says|said|stated|writes|wrote|claims|claimed|mentions|mentioned|indicates|indicated)|(?:states|reads|reports|reported|announces|announced) that|selon|d['’]apr[èe]s|(?:dit|[ée]crit|affirme|indique|pr[ée]tend|mentionne|annonce|pr[ée]cise) (?:que |qu['’])|(?:a|ont) (?:dit|[ée]crit|affirm[ée]|indiqu[ée]|pr[ée]tendu|annonc[ée]|pr[ée]cis[ée]))(?![\p{N}])/iu
const REMEMBER = /^(?:please\s+)?(?:remember|retiens|retenez|note|souviens)/iu

/**
 * Returns the parts of a message that its author wrote themselves: no quotes, code, tables, mails, or text after a request that
 * announces it. When in doubt a part is left out.
 */
export function ownWords(content: string): string {
  const text = content
    .slice(0, MAX_READ)
    .replace(/\r\n?/g, '\n')
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/<[^<>\n]{1,200}>/g, '\n')
  const all = withoutQuotes(text)
    .split('\n')
    .map((line) => line.trim())
  const header = all.findIndex((line) => MAIL_HEADER.test(line.replace(/^[\s>*]+/, '')))
  const lines = header < 0 ? all : all.slice(0, header)
  const own: string[] = []
  for (const line of lines) {
    if (/^(?:>|\||#{1,6} )/.test(line)) continue
    const said = announces(line)
    own.push(said ?? line)
    if (said !== null || isRequest(line)) break
  }
  const joined = own.join('\n').trim()
  if (joined.length <= MAX_OWN) return joined
  const first = joined.split('\n')[0] ?? ''
  return first.length <= MAX_PARAGRAPH ? first : ''
}

/** Returns the statements in a person's own words: neither questions nor requests, nor what others are reported to say. */
export function readStatements(content: string): string[] {
  return splitSentences(ownWords(content)).filter(
    (sentence) =>
      !/\?\s*$/.test(sentence) &&
      !isRequest(sentence) &&
      !QUESTION_WORD.test(sentence) &&
      !REPORTED.test(sentence),
  )
}

/** Splits a text at the ends of sentences and lines. */
export const splitSentences = (text: string): string[] =>
  text
    .split(/\n+|(?<=[.!?…])\s+/u)
    .map((sentence) => sentence.replace(/^[\s*•–-]+/, '').trim())
    .filter((sentence) => sentence !== '')

const isRequest = (sentence: string) => REQUEST.test(sentence.replace(/^[\s*•–-]+/, ''))

/** Returns the beginning of a line up to the sentence or colon that announces a text; null when there is none. */
function announces(line: string): string | null {
  if (line.endsWith(':')) return line
  const sentences = splitSentences(line)
  const announcing = sentences.findIndex(
    (sentence) => TEXT_OF_OTHERS.test(sentence) && !REMEMBER.test(sentence),
  )
  if (announcing >= 0)
    return [...sentences.slice(0, announcing), beforeColon(sentences[announcing] ?? '')].join(' ')
  if (REMEMBER.test(line)) return null
  const at = line.search(/[^\d]:\s/)
  if (at < 0) return null
  return isRequest(splitSentences(line.slice(0, at + 1)).at(-1) ?? '') ? line.slice(0, at + 1) : null
}

const beforeColon = (sentence: string) => sentence.replace(/(?<=[^\d]):\s.*$/s, ':')

/** Removes quotes of several words. An opening mark without an end removes the rest. */
function withoutQuotes(text: string): string {
  const quoted =
    /“[^”]*(?:”|$)|«[^»]*(?:»|$)|„[^“”]*(?:[“”]|$)|"[^"]*(?:"|$)|(?<![\p{L}\p{N}])['‘][^\n]*?['’](?![\p{L}\p{N}])/gu
  return text.replace(quoted, (quote) => (quote.split(/\s+/).length < MIN_QUOTED_WORDS ? quote : ' … '))
}
