import { ambiguousNames, givenNames } from './names/given-names.ts'
import { surnames } from './names/surnames.ts'

const listed = (lists: readonly string[]) => new Set(lists.flatMap((list) => list.split(' ')).map(fold))
const words = (text: string) => new Set(text.split(/\s+/).filter(Boolean))

/** Lower case without accents, so that “JEROME” is “Jérôme”. */
export function fold(word: string): string {
  const lower = word.toLowerCase()
  return /[^a-z]/.test(lower) ? lower.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss') : lower
}

const given = listed(givenNames)
const ambiguous = listed([ambiguousNames])
const family = listed(surnames)

/** Returns whether a word is a given name: `sure` when it is nothing else. Each part of a double name must be one. */
export function isGiven(word: string): 'sure' | 'maybe' | null {
  const parts = fold(word).split('-')
  if (parts.length > 3 || !parts.every((part) => given.has(part))) return null
  return parts.length > 1 || !ambiguous.has(parts[0] ?? '') ? 'sure' : 'maybe'
}

export const isSurname = (word: string): boolean =>
  family.has(fold(word)) ||
  fold(word)
    .split('-')
    .some((part) => part.length > 3 && family.has(part))

/** Words before a name. The name follows, whatever it is. */
export const titles = words(`
  mr mrs ms miss mx dr prof professor sir madam lady lord rev reverend father judge captain capt sgt officer detective nurse doctor
  m mm mme mmes mlle mlles monsieur madame mademoiselle me maître maitre docteur professeur pr veuve sieur
  herr herrn frau fr hr fräulein doktor dipl.-ing dipl-ing ing mag med familie family famille
`)

/** Titles that are also other words count with a point only, or at the given spelling. */
export const dottedTitles = words('m me fr hr pr ing mag med')

/** Lower-case words inside a name. */
export const particles = words(
  "de du des da di del della der den van von vom zu zur zum la le ten ter ben bin ibn al el af av dos das d' l' o'",
)

/** Particles that may have a capital. */
export const capitalParticles = words(
  'le la de du des von van der den da di del della dos el al ben ten ter mac st saint san',
)

/** Capitalised words that are no part of a name and end one. */
export const stopWords = words(`
  the a an and or but if when where why how what who which this that these those there here it its he she they we you i my your our his her
  their is are was were be been do does did has have had would can could should shall may might must not no yes please thanks thank
  dear hello hi hey good morning afternoon evening best kind warm regards sincerely yours cheers from to cc bcc re fwd subject sent date in
  on at by for with of as after before since until because while although however also then than so just only both each every all any some
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november
  december today tomorrow yesterday
  street road avenue lane drive court square station airport hospital university college school church bank hotel museum theatre library
  park bridge house hall tower centre center building office department team company group ltd limited inc llc plc corp corporation co
  foundation institute association society union council committee club award prize act law day week month year north south east west
  avenue boulevard rue place quai route email e-mail mail phone mobile tel telephone fax address name first last surname dob iban ssn
  signature signed position role customer client patient employee manager director employer tenant landlord number invoice order contract
  le la les un une des du de et ou mais si quand je tu il elle on nous vous ils elles mon ma mes ton ta tes son sa ses notre nos votre vos
  leur leurs ce cet cette ces est sont était ne pas merci bonjour bonsoir salut cher chère chers cordialement bien à au aux en dans sur sous
  avec sans pour par chez avant après depuis selon objet envoyé date lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars
  avril mai juin juillet août septembre octobre novembre décembre aujourd'hui demain hier nom prénom adresse téléphone courriel naissance
  société entreprise sarl sas sa eurl sci banque gare aéroport hôpital université école lycée collège église mairie hôtel musée théâtre
  client cliente patient patiente salarié salariée locataire bailleur signature fait bien voici voilà puis alors donc aussi comme
  der die das den dem des ein eine einen einem einer und oder aber wenn weil dass ob ich du er sie es wir ihr mein meine dein sein seine
  unser unsere euer ihre ist sind war waren hat haben wird werden kann nicht kein keine ja nein bitte danke guten tag morgen abend hallo
  liebe lieber sehr geehrte geehrter geehrten mit freundlichen grüßen gruß grüße viele beste herzliche von an aus bei für nach vor zu zum zur
  im am um auf über unter durch gegen ohne seit bis wegen betreff gesendet datum montag dienstag mittwoch donnerstag freitag samstag sonntag
  januar februar märz april mai juni juli august september oktober november dezember heute morgen gestern name vorname nachname anschrift
  telefon handy geburtsdatum gmbh ag kg ohg ug ev bank bahnhof flughafen krankenhaus universität schule kirche hotel museum straße platz weg
  kunde kundin patient patientin mieter mieterin vermieter vermieterin mitarbeiter mitarbeiterin unterschrift firma vertrag rechnung
  line period garden gardens falls island beach county bay lake river mountain valley microsoft google apple amazon windows linux cup open
  paris london berlin lyon marseille hamburg münchen köln frankfurt wien zürich genf genève bruxelles new york france germany deutschland
  england europe europa usa uk
`)

/** Words after which one or more capitalised words are a name. */
export const LABEL =
  /(?:^|[\n|;,\t({"'“«>*•-]|\b(?:of|de|der|die|le|la|the|un|une|ein|eine|our|notre|unser|unsere|votre|ihr|ihre|and|et|und) )[ \u00a0*_"'“«>•-]{0,6}(?:full name|first name|last name|surname|given name|name|patient|client|customer|tenant|landlord|present|passenger \d|passenger|traveller|plaintiff|defendant|claimant|employee|applicant|contact|contact person|account holder|holder|signed(?: by)?|signature|attendees?|from|to|cc|reporter|assignee|author|manager|beneficiary|recipient|insured|buyer|seller|witness|guest|caller|owner|nom complet|nom et prénom|prénom et nom|nom de famille|nom|prénom|prenom|locataire|bailleur|salariée?|employée?|titulaire|bénéficiaire|signataire|signée?(?: par)?|contact|interlocuteur|interlocutrice|destinataire|expéditeur|assurée?|acheteur|vendeur|témoin|participants?|présents?|présente?s?|passager \d|passag(?:er|ère)|voyageur|demandeur|défendeur|plaignante?|de|à|cliente?|patiente?|demandeur|demandeuse|vorname und name|vor- und nachname|vorname|nachname|familienname|kunde|kundin|mieter(?:in)?|vermieter(?:in)?|mitarbeiter(?:in)?|arbeitnehmer(?:in)?|antragsteller(?:in)?|ansprechpartner(?:in)?|kontoinhaber(?:in)?|inhaber(?:in)?|unterzeichner(?:in)?|unterschrift|gez\.|teilnehmer|anwesend|reisender? \d|reisender?|kläger(?:in)?|beklagter?|bewerber(?:in)?|von|an|empfänger(?:in)?|absender(?:in)?|versicherte[rn]?|käufer(?:in)?|verkäufer(?:in)?|zeugin?|zeuge|sachbearbeiter(?:in)?|bearbeiter(?:in)?|patientin)(?:\(s\))?(?: \([^)\n]{1,20}\))?["'*_”»]{0,3} {0,3}[:=|] ?["'*_“«]{0,3} {0,3}$/iu

/** Words at the end of a letter. The line after them is a name. */
export const CLOSING =
  /(?:regards|sincerely|faithfully|truly|cheers|thanks(?: again)?|many thanks|best|love|all the best|take care|cordialement|bien à vous|bien à toi|salutations(?: distinguées| cordiales)?|amicalement|bises|à bientôt|merci(?: d’avance| d'avance| beaucoup)?|respectueusement|sincèrement|mit freundlichen grüßen|mit freundlichem gruß|mit besten grüßen|viele grüße|liebe grüße|beste grüße|herzliche grüße|schöne grüße|besten gruß|freundliche grüße|hochachtungsvoll|lg|mfg|vg|gruß|grüße|bis bald|danke(?: dir| ihnen)?)[,.!]? {0,3}\n{1,2} {0,3}$/iu

/** Persons of the family or of work, right before a name. */
export const relations = words(`
  brother sister husband wife son daughter mother father mum dad uncle aunt cousin friend colleague boss neighbour neighbor partner
  frère sœur soeur mari femme épouse époux fils fille mère père oncle tante cousine ami amie collègue chef cheffe voisin voisine
  bruder schwester mann frau sohn tochter mutter vater onkel kusine freund freundin kollege kollegin chefin nachbar nachbarin
`)

/** Words that follow a person rather than a word or a place. */
export const DOES =
  /^(?:['’]s [\p{Ll}]|,? (?:said|says|will|would|wants|wanted|asked|asks|told|tells|wrote|writes|called|calls|emailed|mentioned|thinks|knows|brings|needs|has|had|is|was|did|does|can|could|should|sent|sends|confirmed|confirms|replied|replies|denied|denies|agreed|joined|left|works|worked|lives|a dit|dit|dira|aura|a écrit|écrit|a demandé|demande|apporte|veut|peut|pense|confirme|répond|précise|affirme|déclare|habite|travaille|arrive|sagt|sagte|schreibt|schrieb|fragt|fragte|bringt|will|wird|möchte|braucht|kommt|kam|hat|hatte|ist|war|kann|bestätigt|bestätigte|erklärt|erklärte|meint|meinte|wohnt|arbeitet)(?![\p{L}]))/u

/** Verbs after which a listed surname alone is a person. */
export const REPORTS =
  /^,? (?:said|says|confirmed|confirms|denied|denies|wrote|writes|replied|replies|asked|asks|told|added|adds|explained|explains|claimed|claims|argued|argues|testified|agreed|agrees|dit|a dit|confirme|a confirmé|nie|a nié|écrit|répond|précise|ajoute|explique|affirme|déclare|conteste|sagt|sagte|bestätigt|bestätigte|bestreitet|bestritt|schreibt|schrieb|antwortet|erklärt|erklärte|meint|meinte|ergänzt)(?![\p{L}])/u

/** Words before an ambiguous name that make it a person, and those that make it a place. */
export const PERSON_BEFORE =
  /(?<![\p{L}])(?:did|does|has|is|was|will|can|could|should|would|ask|asked|tell|told|remind|call|called|with|by|and|thank|thanks|if|that|when|but|so|or|via|for|let|que|qu['’]|demande à|avec|par|et|si|mais|pour|merci|ou|bitte|mit|und|dass|ob|wenn|aber|für|oder|frag|hat|ist|soll|kann|wird|ließ) {1,2}$/u
export const PLACE_BEFORE =
  /(?<![\p{L}])(?:in|at|near|from|to|of|around|since|until|by|early|late|mid|next|last|this|on|before|after|à|en|de|dès|depuis|fin|début|im|ab|bis|seit|nach|aus|ende|anfang|mitte|am)\.? {1,2}$/iu

/** Given names that are also months or places. */
export const placeNames = words(
  'april may june august avril mai jan dallas victoria florence charlotte chelsea sydney austin houston jordan lincoln madison savannah cheyenne carolina georgia virginia devon israel kenya india asia china chad milan siena verona eden brooklyn kent',
)

/** Frequent words of German, which writes every noun with a capital. */
export const GERMAN =
  /(?<![\p{L}])(?:der|die|das|und|ist|nicht|ein|eine|mit|für|auf|von|dem|den|wurde|wird|zu|im)(?![\p{L}])/giu
export const NOT_GERMAN =
  /(?<![\p{L}])(?:the|and|of|to|is|a|for|you|that|with|le|la|les|et|est|pour|que|une|un|du|des|dans|au)(?![\p{L}])/giu

/** Words of a greeting right before a name. */
export const greetings = words(`
  dear hello hi hey morning afternoon evening thanks you bonjour bonsoir salut coucou cher chère merci hallo liebe lieber tag abend servus
  moin danke geehrte geehrter
`)
