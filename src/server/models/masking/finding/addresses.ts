import { collect, type Detail } from './detail.ts'

const FRENCH =
  /(?<![\p{L}\d])(?:\d{1,4} ?(?:bis|ter|quater|[A-D])?(?:[-/]\d{1,4})?,? {0,2})(?:rue|avenue|av\.?|boulevard|boul\.?|bd\.?|blvd\.?|place|pl\.|chemin|ch\.|impasse|imp\.|all[ée]es?|quai|route|rte\.?|cours|square|passage|faubourg|fbg\.?|villa|r[ée]sidence|lotissement|hameau|mont[ée]e|sentier|ruelle|esplanade|promenade|rond-point|voie|clos|cit[ée]|parvis|venelle|traverse|lieu-dit)(?: [\p{L}\d’'.-]{1,25}){1,7}/giu
const GERMAN =
  /(?<![\p{L}\d])\p{L}{0,30}(?:[Ss]tra(?:ß|ss)e|[Ss]tr\.|[Ww]eg|[Pp]latz|[Aa]llee|[Gg]asse|[Rr]ing|[Dd]amm|[Uu]fer|[Cc]haussee|[Mm]arkt|[Ss]teig|[Ss]tieg|[Pp]fad|[Gg]raben|[Kk]amp|berg|hof|brücke|wall|tor|promenade|zeile|park) ?\d{1,4} ?[a-hA-H]?(?: ?[-–/] ?\d{1,4} ?[a-h]?)?(?![\p{L}\d€%])/gu
const GERMAN_AT =
  /(?<![\p{L}\d])(?:Am|An der|An den|Im|In der|In den|Zum|Zur|Auf der|Auf dem|Unter den|Hinter der|Hinter dem|Vor dem|Beim|Alter|Alte|Neuer|Neue|Großer|Kleine|Hohe|Lange|Obere|Untere) \p{Lu}[\p{L}-]{2,25} \d{1,3} ?[a-h]?(?![\p{L}\d€%.])/gu
const ENGLISH =
  /(?<![\p{L}\d])(?:(?:[Ff]lat|[Aa]pt\.?|[Aa]partment|[Uu]nit|[Ss]uite|[Ss]te\.?) [\dA-Z]{1,5},? )?\d{1,5}[A-Za-z]?(?:[-/]\d{1,5})?,? (?:[NSEW]\.? )?(?:(?:\p{Lu}[\p{L}’'.-]{0,20}|\d{1,3}(?:st|nd|rd|th)) ){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Close|Way|Place|Pl|Square|Sq|Terrace|Crescent|Gardens|Boulevard|Blvd|Highway|Hwy|Mews|Row|Hill|Parkway|Pkwy|Circle|Cir|Grove|Broadway|Walk|Park|Rise|View|Green|Quay|Trail|Loop|Wharf|Parade)(?![\p{L}\d])\.?(?: (?:NW|NE|SW|SE|[NSEW])(?![\p{L}\d]))?/gu
const BOX = /(?<![\p{L}\d])(?:P\.?O\.? Box|Postfach|B\.?P\.?) \d[\d ]{0,8}\d?/gu
const EXTRA =
  /^(?:,? {0,2}| ?\n ?)(?:,? ?(?:apt\.?|apartment|appt?\.?|appartement|flat|unit|suite|ste\.?|b[âa]t(?:iment)?\.?|escalier|esc\.?|[ée]tage|hinterhaus|vorderhaus|seitenflügel|whg\.?|wohnung|[1-9]\. ?(?:og|stock)|#) ?[\p{L}\d]{0,6}\.?)/iu
const TOWN =
  /^[ ]{0,2}(?:,|;|·|-|–|\||\n|,? ?\n|\\n| )[ ]{0,2}(?:(?:D|A|CH|F|B|L)[- ]{1,2})?\d{4,5} \p{L}[\p{L}’'-]{1,25}(?:[ /-](?:St\.|Saint|Sainte|\p{Lu}[\p{L}’'-]{0,25}|(?:sur|sous|en|la|le|les|lès|de|du|des|am|an der|im|in der|bei|ob der|a\. ?|v\. ?d\. ?|d[’'])[ -]?(?:\p{Lu}|l[’'])[\p{L}’'-]{0,25})){0,5}(?: \(\p{Lu}[\p{L}]{1,20}\))?(?: (?:[Cc]edex|CEDEX)(?: \d{1,2})?)?/u
const BRITISH_CODE = /^[ ]{0,2}[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?![\p{L}\d])/u
const AMERICAN_CODE =
  /^[ ]{0,2}(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])[ ,]{1,2}\d{5}(?:-\d{4})?(?!\d)/u
const PLACE =
  /^[ ]{0,2}(?:,|;|·|\||\n|,? ?\n|\\n| )[ ]{0,2}\p{Lu}[\p{L}’'.-]{1,20}(?![\p{L}\d])(?: \p{Lu}[\p{L}’'.-]{1,20}(?![\p{L}\d])){0,2}/u
const JOINT = /^[ ]{0,2}(?:,|;|·|\||\n|,? ?\n|\\n)?[ ]{0,2}/
const LONE_BRITISH =
  /(?<![\p{L}\d])(?:\p{Lu}[\p{L}-]{2,20},? )?[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?![\p{L}\d])/gu
const LONE_AMERICAN =
  /(?<![\p{L}\d])\p{Lu}[\p{L}-]{2,20}(?: \p{Lu}[\p{L}-]{2,20}){0,2}, [A-Z]{2} \d{5}(?:-\d{4})?(?![\p{L}\d])/gu
const LONE_TOWN =
  /(?<=^|\n)[ \t>]{0,4}(?:(?:D|A|F|CH)-)?\d{4,5} \p{Lu}[\p{L}’'-]{1,25}(?:[ -][\p{L}’'.-]{1,20}){0,4}(?: cedex(?: \d{1,2})?)?(?=[ \t,.]{0,3}(?:\n|$))/giu
const SAID_TOWN =
  /(?<=(?:wohnhaft in|adresse ?:|anschrift ?:|demeurant [àa]|domicili[ée]e? [àa]|habite [àa]|résidant [àa]|wohne in|wohnt in|lives in|address:) ?)\d{4,5} \p{Lu}[\p{L}’'-]{1,25}(?:[ -]\p{Lu}[\p{L}’'.-]{1,20}){0,3}/giu

/** Words after a French street that no longer belong to it. */
const FRENCH_STOP =
  /[ ](?:à|a|au|aux|et|est|sont|où|pour|dans|qui|que|chez|avec|sur|depuis|mais|ou|puis|dès|svp|cedex|avant|après|car|par|se|sera|était|a été|vous|je|il|elle|nous)(?= |$)/iu

/** Finds postal addresses: a street with its number, and the postcode and town after it; and towns with a postcode that stand alone. */
export function findAddresses(text: string): Detail[] {
  const reach = (at: number, length: number) => {
    const more = extendAddress(text, at + length)
    return more - at
  }
  return [
    ...collect(text, FRENCH, 'address', (found, at) => {
      const street = cutFrench(found)
      return street === null ? null : reach(at, street)
    }),
    ...collect(text, GERMAN, 'address', (found, at) => reach(at, found.trimEnd().length))
      .map((one) => ({ ...one, at: beginGerman(text, one.at) }))
      .filter(({ at }) => /\p{Lu}/u.test(text[at] ?? '')),
    ...collect(text, GERMAN_AT, 'address', (found, at) => reach(at, found.trimEnd().length)),
    ...collect(text, ENGLISH, 'address', (found, at) => reach(at, found.length)),
    ...collect(text, BOX, 'address', (found, at) => reach(at, found.trimEnd().length)),
    ...collect(text, LONE_BRITISH, 'address', (found) => found.length),
    ...collect(text, LONE_AMERICAN, 'address', (found) => found.length),
    ...collect(text, LONE_TOWN, 'address', (found) => found.length).map((one) => trimStart(text, one)),
    ...collect(text, SAID_TOWN, 'address', (found) => found.length),
  ]
}

/**
 * Returns where a German street begins: “Karl-Marx-” belongs to “Straße”, and “Berliner” to “Allee” because that is a word of its own.
 */
function beginGerman(text: string, at: number): number {
  const isWord =
    /^(?:Straße|Strasse|Str\.|Weg|Platz|Allee|Gasse|Ring|Damm|Ufer|Chaussee|Markt|Steig|Stieg|Pfad|Graben|Kamp)/.test(
      text.slice(at, at + 10),
    )
  let start = at
  for (let words = 0; words < 4; words++) {
    const found = /(?<![\p{L}\d])\p{Lu}[\p{L}.]{1,24}([ -])$/u.exec(
      text.slice(Math.max(0, start - 28), start),
    )
    if (!found || (found[1] === ' ' && (words > 0 || !isWord))) break
    start -= found[0].length
  }
  return start
}

function trimStart(text: string, detail: Detail): Detail {
  const found = text.slice(detail.at, detail.end)
  return { ...detail, at: detail.end - found.replace(/^[\s>]{0,8}/, '').length }
}

/** Returns the length of the street: up to a word that no longer belongs to it, or a postcode; null when nothing is left. */
function cutFrench(found: string): number | null {
  const stop = FRENCH_STOP.exec(found)
  const code = / \d{5}(?= |$)/.exec(found)
  const dot = /[\p{L}\d]{4}[.](?= |$)/u.exec(found)
  const ends = [stop?.index, code?.index, dot ? dot.index + 4 : undefined].filter((one) => one !== undefined)
  const length = Math.min(found.length, ...ends)
  const street = found.slice(0, length).replace(/[.’'-]{1,3}$/, '')
  return /[ ]\p{L}/u.test(street.replace(/^\d{1,4} ?/, '')) ? street.length : null
}

/** Returns the end of an address whose street ends at `end`. */
function extendAddress(text: string, end: number): number {
  let at = end
  const extra = EXTRA.exec(text.slice(at, at + 60))
  if (extra) at += extra[0].length
  const rest = text.slice(at, at + 200)
  const town = TOWN.exec(rest)
  if (town) return at + town[0].replace(/[.’'-]{1,2}$/, '').length
  return coded(text, at) ?? at
}

/** Returns the end of up to three lines or parts that lead to a British or American postcode; null when there is none. */
function coded(text: string, from: number): number | null {
  let at = from
  for (let parts = 0; parts < 4; parts++) {
    const rest = text.slice(at, at + 120)
    const joint = JOINT.exec(rest)?.[0].length ?? 0
    const code = BRITISH_CODE.exec(rest.slice(joint)) ?? AMERICAN_CODE.exec(rest.slice(joint))
    if (code) return at + joint + code[0].length
    const place = PLACE.exec(rest)
    if (!place) return null
    at += placeLength(rest, place[0])
  }
  return null
}

/** A place may have swallowed the state before its code: “Austin TX 78701”. */
function placeLength(rest: string, place: string): number {
  const words = place.split(' ')
  const last = words.at(-1) ?? ''
  return /^[A-Z]{2}$/.test(last) && /^ \d{5}/.test(rest.slice(place.length))
    ? place.length - last.length - 1
    : place.length
}
