import { ownWords, splitSentences } from './own-words.ts'

const ENGLISH =
  /^(?:please[,\s]+|and\s+)?(?:remember|keep in mind|bear in mind|do not forget|don['’]t forget|make a note|take note|note)(?<scope> (?:for|in) (?:this|the|our) project)?(?:\s+that\s+|\s*[:,]\s*|\s+)(?<fact>.+)$/iu
const FRENCH =
  /^(?:s['’]il (?:te|vous) pla[iî]t[,\s]+|et\s+)?(?:retiens|retenez|souviens[- ]toi|souvenez[- ]vous|rappelle[- ]toi|rappelez[- ]vous|n['’]oublie(?:z)? pas|m[ée]morise[rz]?|garde[rz]? en m[ée]moire|note[rz]?)(?: bien)?(?<scope> pour (?:ce|le|notre) projet)?(?:\s+qu(?:e\s+|['’]\s*)|\s*[:,]\s*|\s+)(?<fact>.+)$/iu
/** The rest of a sentence that names no fact: a reminder, a question, or something else than words. */
const NO_FACT =
  /^(?:to|when|how|what|why|where|who|if|me|it|this|that|these|those|everything|all|the following|the (?:document|page|file|text|article|attachment)|de|d['’]|comment|pourquoi|quand|o[ùu]|si|moi|ceci|cela|[çc]a|tout|la (?:page|suite)|le (?:document|fichier|texte)|l['’]article)(?![\p{L}\p{N}])/iu
const NEEDS_THAT =
  /^(?:please[,\s]+|and\s+)?(?:note|take note|make a note|notez?|noter)\s+(?!that\s|qu[e'’])(?![:,])/iu

export type Remember = { text: string; forProject: boolean }

/** Returns what a person asks to remember in their own words of a message, at most three facts. */
export function readRemember(content: string): Remember[] {
  return splitSentences(ownWords(content))
    .flatMap((sentence): Remember[] => {
      if (/\?\s*$/.test(sentence) || NEEDS_THAT.test(sentence)) return []
      const { fact, scope } = (ENGLISH.exec(sentence) ?? FRENCH.exec(sentence))?.groups ?? {}
      if (!fact || NO_FACT.test(fact)) return []
      return [{ text: begin(fact.trim()), forProject: scope !== undefined }]
    })
    .slice(0, 3)
}

const begin = (text: string) => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`

const ABOUT_ME = [
  /\bwhat (?:do|can|did|have) you (?:still |already )?(?:know|remember|recall|learn(?:ed|t)?|sto(?:re|red)|tell me)(?: so far)?(?: about| of| on)? (?:me|us|my)\b/iu,
  /\bwhat (?:have you|did you) (?:remembered|learned|learnt|stored)\b/iu,
  /\bwhat(?:['’]s| is) in your memory\b|\b(?:show|list|tell) (?:me )?(?:your memory|what you (?:know|remember) about me)\b/iu,
  /\bque (?:sais|savez|retiens|retenez|connais|connaissez)[- ](?:tu|vous)\b.{0,30}\b(?:moi|nous)\b/iu,
  /\bqu['’]est[- ]ce que (?:tu|vous) (?:sais|savez|retiens|retenez|as retenu|avez retenu|connais|connaissez)\b.{0,30}\b(?:moi|nous)\b/iu,
  /\b(?:tu|vous) (?:sais|savez) quoi (?:de|sur) moi\b|\bqu['’](?:as|avez)[- ](?:tu|vous) retenu\b|\bqu['’]y a-t-il dans (?:ta|votre) m[ée]moire\b/iu,
]

/** Returns whether a message asks what is known about its author. */
export const asksAboutMe = (content: string): boolean => {
  const own = ownWords(content)
  return ABOUT_ME.some((form) => form.test(own))
}
