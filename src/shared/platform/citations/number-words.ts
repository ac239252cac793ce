import { fold } from './text-language.ts'

const list = (text: string): [string, number][] =>
  text.split(' ').flatMap((pair) => {
    const [words = '', value] = pair.split(':')
    return words.split('|').map((word): [string, number] => [word, Number(value)])
  })

/** Words below a hundred, folded; those of "one" are too common to be claims. */
const SMALL = new Map(
  list(
    'zero|null|cero:0 one|un|une|ein|eine|einen|einem|einer|uno|una:1 twice|zweimal:2 thrice|dreimal:3 viermal:4 funfmal:5 two|deux|zwei|dos:2 three|trois|drei|tres:3 four|quatre|vier|cuatro:4 five|cinq|funf|cinco:5 ' +
      'six|sechs|seis:6 seven|sept|sieben|siete:7 eight|huit|acht|ocho:8 nine|neuf|neun|nueve:9 ten|dix|zehn|diez:10 eleven|onze|elf:11 twelve|douze|zwolf|doce:12 ' +
      'thirteen|treize|dreizehn|trece:13 fourteen|quatorze|vierzehn|catorce:14 fifteen|quinze|funfzehn|quince:15 sixteen|seize|sechzehn|dieciseis:16 ' +
      'seventeen|siebzehn|diecisiete:17 eighteen|achtzehn|dieciocho:18 nineteen|neunzehn|diecinueve:19 twenty|vingt|vingts|zwanzig|veinte:20 ' +
      'veintiuno|veintiun:21 veintidos:22 veintitres:23 veinticuatro:24 veinticinco:25 veintiseis:26 veintisiete:27 veintiocho:28 veintinueve:29 ' +
      'thirty|trente|dreissig|treinta:30 forty|quarante|vierzig|cuarenta:40 fifty|cinquante|funfzig|cincuenta:50 sixty|soixante|sechzig|sesenta:60 ' +
      'seventy|septante|siebzig|setenta:70 eighty|huitante|achtzig|ochenta:80 ninety|nonante|neunzig|noventa:90 doscientos|doscientas:200 trescientos|trescientas:300 ' +
      'cuatrocientos|cuatrocientas:400 quinientos|quinientas:500 seiscientos|seiscientas:600 setecientos|setecientas:700 ochocientos|ochocientas:800 novecientos|novecientas:900 ' +
      'dozen|douzaine|dutzend|docena:12',
  ),
)
const SCALES = new Map(
  list(
    'hundred|cent|cents|hundert|cien|ciento:100 thousand|thousands|mille|milliers|millier|tausend|mil|miles|tsd:1e3 ' +
      'million|millions|millionen|millon|millones|mio|mn:1e6 billion|billions|milliard|milliards|milliarde|milliarden|mrd|bn:1e9',
  ),
)

const GERMAN =
  /^(?:(?:(?:(ein|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|dreizehn|vierzehn|funfzehn|sechzehn|siebzehn|achtzehn|neunzehn)und)?(zwanzig|dreissig|vierzig|funfzig|sechzig|siebzig|achtzig|neunzig)|(ein|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|dreizehn|vierzehn|funfzehn|sechzehn|siebzehn|achtzehn|neunzehn))tausend)?(?:(ein|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|dreizehn|vierzehn|funfzehn|sechzehn|siebzehn|achtzehn|neunzehn)?(hundert))?(?:und)?(?:(?:(ein|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|dreizehn|vierzehn|funfzehn|sechzehn|siebzehn|achtzehn|neunzehn)und)?(zwanzig|dreissig|vierzig|funfzig|sechzig|siebzig|achtzig|neunzig)|(ein|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|dreizehn|vierzehn|funfzehn|sechzehn|siebzehn|achtzehn|neunzehn))?$/

/** The factor of a scale word such as "million". Null for other words. */
export const scaleOf = (word: string): number | null => SCALES.get(fold(word)) ?? null

function germanValue(word: string): number | null {
  const found = GERMAN.exec(word.replace('ß', 'ss'))
  if (!found || word.length < 8) return null
  const [, a, b, c, hundreds, hundert, d, e, f] = found
  const value = (part: string | undefined) =>
    part === undefined ? 0 : part === 'ein' ? 1 : (SMALL.get(part) ?? 0)
  const thousand = value(a) + value(b) + value(c)
  return thousand * 1_000 + (hundert ? (value(hundreds) || 1) * 100 : 0) + value(d) + value(e) + value(f)
}

type Said = { value: number; at: number; length: number }
const HALF = /^\s(?:and a half|et demie?|y medi[oa]|einhalb)\b/i
const CONNECTORS = new Set(['and', 'et', 'y', 'und'])

type Run = { total: number; current: number; at: number; end: number }

/** Numbers written as words, the longest run of words for each. */
export function wordNumbers(text: string): Said[] {
  const found: Said[] = []
  let run = null as Run | null
  let joined = true
  const close = () => {
    if (!run) return
    const half = HALF.exec(text.slice(run.end))?.[0] ?? ''
    found.push({
      value: run.total + run.current + (half ? 0.5 : 0),
      at: run.at,
      length: run.end - run.at + half.length,
    })
    run = null
  }
  for (const token of text.matchAll(/\p{L}+|\d[\d.,]*|[^\p{L}\d\s-]+/gu)) {
    const word = fold(token[0]).replace('ß', 'ss')
    const end = token.index + token[0].length
    if (run && CONNECTORS.has(word) && joined) {
      joined = false
      continue
    }
    joined = true
    const scale = SCALES.get(word)
    const value = SMALL.get(word) ?? germanValue(word)
    if (scale !== undefined && run) {
      run = scaled(run, scale, end)
    } else if (
      scale !== undefined &&
      ['cent', 'cien', 'ciento', 'mille', 'mil', 'hundert', 'tausend'].includes(word) &&
      !/[\d.,]\s*$/.test(text.slice(0, token.index)) &&
      !/\b(?:pour|per|por)\s$/i.test(text.slice(0, token.index))
    ) {
      run = { total: scale >= 1_000 ? scale : 0, current: scale < 1_000 ? scale : 0, at: token.index, end }
    } else if (value !== null && value !== undefined) {
      const next: number | null = run ? added(run.current, word, value) : null
      if (run && next !== null) run = { ...run, current: next, end }
      else {
        close()
        run = { total: 0, current: value, at: token.index, end }
      }
    } else close()
  }
  close()
  return found
}

function scaled(
  run: { total: number; current: number; at: number; end: number },
  scale: number,
  end: number,
) {
  if (scale === 100) return { ...run, current: (run.current || 1) * 100, end }
  return { ...run, total: run.total + (run.current || 1) * scale, current: 0, end }
}

/** The sum of two number words that make one number; null when they are two numbers. */
function added(current: number, word: string, value: number): number | null {
  if (/^vingts?$/.test(word) && current % 100 === 4) return current + 76
  const low = current % 100
  if (current === 0 || (low === 0 && value < 1_000 && current >= 100 && value < 100)) return current + value
  if (low >= 20 && low % 10 === 0 && value > 0 && value < (low === 60 || low === 80 ? 20 : 10))
    return current + value
  return null
}

const ORDINALS = new Map(
  list(
    'third|troisieme|dritte|dritten|dritter|tercero|tercera|tercer:3 fourth|quatrieme|vierte|vierten|cuarto|cuarta:4 fifth|cinquieme|funfte|funften|quinto|quinta:5 ' +
      'sixth|sixieme|sechste|sechsten|sexto|sexta:6 seventh|septieme|siebte|siebten|septimo|septima:7 eighth|huitieme|achte|achten|octavo|octava:8 ' +
      'ninth|neuvieme|neunte|neunten|noveno|novena:9 tenth|dixieme|zehnte|zehnten|decimo|decima:10 eleventh|onzieme|elfte|elften:11 twelfth|douzieme|zwolfte|zwolften:12 ' +
      'fifteenth|quinzieme|funfzehnte:15 twentieth|vingtieme|zwanzigste:20 first|premier|premiere|erste|ersten|erster|primero|primera|primer:1 second|deuxieme|seconde|zweite|zweiten|zweiter|segundo|segunda:2',
  ),
)
/** Ordinals written as words. */
export const wordOrdinals = (text: string): Said[] =>
  [...text.matchAll(/\p{L}+/gu)].flatMap(({ 0: word, index: at }) => {
    const value = ORDINALS.get(fold(word))
    return value === undefined ? [] : [{ value, at, length: word.length }]
  })
