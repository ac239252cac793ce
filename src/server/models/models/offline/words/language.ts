import type { Language } from '#shared/platform/primitives.ts'

const telling: Record<Language, Set<string>> = {
  en: new Set(
    (
      'the a an of to and or is are was were be been it its this that what which who how many much why when where do does did can could ' +
      'you your i my me we in on at by for from with please hello hi hey thanks thank today tomorrow yesterday days weeks then add multiply divide ' +
      'subtract minus times half twice convert summarise summarize summary sort extract list count words lines text table into between until ago day ' +
      'tell write good morning evening help bye goodbye square root percent power take off one two three four five seven eight nine ten twenty thirty hundred thousand make give find not no yes will would should explain translate'
    ).split(' '),
  ),
  fr: new Set(
    (
      'le la les l un une des du de d et ou est sont était étaient être il elle ils elles ce cet cette ces que quel quelle quels quelles qui quoi ' +
      'comment combien pourquoi quand où fait font je tu vous nous mon ma mes ton ta votre à au aux en dans par pour sur avec bonjour bonsoir salut ' +
      'coucou merci aujourd hui demain hier jours semaines puis ensuite ajoute additionne multiplie divise soustrais moins fois moitié double ' +
      'convertis convertir résume résumer trie trier extrais liste compte mots lignes texte tableau entre jusqu ya jour dis écris aide revoir racine ' +
      'carrée puissance cube carré pour cent deux trois quatre cinq six sept huit neuf dix vingt trente cents mille pas non oui sera explique traduis quelqu'
    ).split(' '),
  ),
}
const enough = 2_000

/** The language a text is written in, by its small words; null when they do not say. */
export function findLanguage(text: string): Language | null {
  const words =
    text
      .slice(0, enough)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const count = (language: Language) => words.filter((word) => telling[language].has(word)).length
  const accents = words.filter((word) => /[àâçèéêëîïôùûœ]/.test(word)).length
  const [english, french] = [count('en'), count('fr') + accents]
  if (english === french) return null
  return english > french ? 'en' : 'fr'
}
