import type { Language } from '#shared/platform/primitives.ts'

const telling: Record<Language, Set<string>> = {
  en: new Set(
    (
      'the a an of to and or is are was were be been it its this that what which who how many much why when where do does did can could ' +
      'you your i my me we in on at by for from with please hello hi hey thanks thank today tomorrow yesterday days weeks then add multiply divide ' +
      'subtract minus times half twice convert summarise summarize summary sort extract list count words lines text table into between until ago day ' +
      'tell write good morning evening help bye goodbye square root percent power take off one two three four five seven eight nine ten twenty thirty hundred thousand make give find not no yes will would should explain translate ' +
      'as so if about into than there here some any has have had did sorry happy new year never mind wait shorter longer again play won best am im dont cant lets ok night nice great very more my your his her their our'
    ).split(' '),
  ),
  fr: new Set(
    (
      'le la les l un une des du de d et ou est sont était étaient être il elle ils elles ce cet cette ces que quel quelle quels quelles qui quoi ' +
      'comment combien pourquoi quand où fait font je tu vous nous mon ma mes ton ta votre à au aux en dans par pour sur avec bonjour bonsoir salut ' +
      'coucou merci aujourd hui demain hier jours semaines puis ensuite ajoute additionne multiplie divise soustrais moins fois moitié double ' +
      'convertis convertir résume résumer trie trier extrais liste compte mots lignes texte tableau entre jusqu ya jour dis écris aide revoir racine ' +
      'carrée puissance cube carré pour cent deux trois quatre cinq six sept huit neuf dix vingt trente cents mille pas non oui sera explique traduis quelqu ' +
      'court bonne bon nuit journée soirée excusez excuse laisse attends encore j se te lui leur nos vos ses sa va vais suis es êtes avez avons ont peux peut sais sait quoi rien bien très aussi année mois heure heures joue mets ici là déjà toujours jamais'
    ).split(' '),
  ),
}
/** Frequent words of other languages. A text with more of these than of English or French words is foreign. */
const foreign: Record<string, Set<string>> = {
  de: new Set(
    (
      'der die das und ist nicht ich du wir ihr sie ein eine einen wie was wer wo wann warum mit für auf dem den des zu von bei wird sind hallo danke bitte ' +
      'guten morgen tag abend wieviel spät uhr kannst mir heißt hauptstadt viel viele auch noch schon heute über können möchte'
    ).split(' '),
  ),
  es: new Set(
    (
      'el los las una unos qué que como cómo quién cuándo dónde cuánto cuál por para con está es son hola gracias buenos días buenas tardes noches adiós ' +
      'puedes hora capital muy pero también usted quiero tiene hoy mañana eres'
    ).split(' '),
  ),
  it: new Set(
    (
      'il lo gli uno che come chi quando dove quanto quale perché per con sono è ciao grazie buongiorno buonasera arrivederci puoi ora ore della del di ' +
      'molto anche oggi domani voglio fa sei'
    ).split(' '),
  ),
  pt: new Set(
    'os um uma que como quem quando onde quanto qual por para com está são olá oi obrigado obrigada bom dia boa tarde noite você pode horas muito hoje'.split(
      ' ',
    ),
  ),
  nl: new Set(
    'de het een en is niet ik jij wij hoe wat wie waar wanneer waarom met voor op van hallo dank je wel goedemorgen dag laat kun kan mij heet hoofdstad veel'.split(
      ' ',
    ),
  ),
  pl: new Set(
    'jest nie co jak kto gdzie kiedy dlaczego cześć dzień dobry dziękuję proszę która godzina ile się'.split(
      ' ',
    ),
  ),
}
const enough = 2_000

/** Returns whether a text is neither English nor French: in another script, or with more words of another language. */
export function isForeign(text: string): boolean {
  const beginning = text.slice(0, enough)
  const letters = beginning.match(/\p{L}/gu)?.length ?? 0
  const latin = beginning.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (letters > 0 && latin * 2 < letters) return true
  const words = beginning.toLowerCase().match(/\p{L}+/gu) ?? []
  const count = (list: Set<string>) => words.filter((word) => list.has(word)).length
  const own = Math.max(count(telling.en), count(telling.fr))
  return Math.max(...Object.values(foreign).map(count)) > own
}

/** Returns the language of a text by its frequent words and accents; null when they do not decide. */
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
