const ACCENTS: Record<string, string> = {
  acute: '\u0301',
  breve: '\u0306',
  caron: '\u030c',
  cedilla: '\u0327',
  circumflex: '\u0302',
  dieresis: '\u0308',
  dotaccent: '\u0307',
  grave: '\u0300',
  hungarumlaut: '\u030b',
  macron: '\u0304',
  ogonek: '\u0328',
  ring: '\u030a',
  tilde: '\u0303',
}

const NAMES: Record<string, string> = Object.fromEntries(
  [
    'zero 0 one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 hyphen - minus − period . comma ,',
    'colon : semicolon ; exclam ! question ? quotesingle \' quotedbl " quoteleft ‘ quoteright ’ quotedblleft “',
    'quotedblright ” quotesinglbase ‚ quotedblbase „ guillemotleft « guillemotright » guilsinglleft ‹ guilsinglright ›',
    'endash – emdash — bullet • ellipsis … parenleft ( parenright ) bracketleft [ bracketright ] braceleft {',
    'braceright } slash / backslash \\ bar | ampersand & percent % perthousand ‰ at @ numbersign # asterisk * plus +',
    'equal = less < greater > asciitilde ~ asciicircum ^ underscore _ dollar $ Euro € euro € sterling £ yen ¥ cent ¢',
    'section § paragraph ¶ degree ° copyright © registered ® trademark ™ dagger † daggerdbl ‡ multiply × divide ÷',
    'plusminus ± mu µ onehalf ½ onequarter ¼ threequarters ¾ germandbls ß ae æ AE Æ oe œ OE Œ oslash ø Oslash Ø',
    'eth ð Eth Ð thorn þ Thorn Þ lslash ł Lslash Ł dotlessi ı dcroat đ Dcroat Đ exclamdown ¡ questiondown ¿',
    'fi fi fl fl ff ff ffi ffi ffl ffl ft ft st st longst ſt IJ IJ ij ij',
  ]
    .join(' ')
    .split(' ')
    .flatMap((word, at, all) => (at % 2 === 0 ? [[word, all[at + 1] ?? '']] : [])),
)

/** Returns the text of a glyph by its name (`f_f_i`, `uni00E9`, `eacute.sc`); null for names without a meaning, such as `g12`. */
export function textOfGlyph(name: string): string | null {
  const [base = ''] = name.split('.')
  if (base === 'space' || base === 'nbspace') return ' '
  if (base.includes('_')) return joined(base.split('_').map(textOfGlyph))
  const own = NAMES[base]
  if (own !== undefined) return own
  if (/^[A-Za-z]$/.test(base)) return base
  const units = /^uni((?:[0-9A-F]{4})+)$/.exec(base)?.[1]
  if (units) return joined((units.match(/.{4}/g) ?? []).map(signOf))
  const code = /^u([0-9A-F]{4,6})$/.exec(base)?.[1]
  if (code) return signOf(code)
  const [, letter = '', accent = ''] = /^([A-Za-z])([a-z]+)$/.exec(base) ?? []
  const mark = ACCENTS[accent]
  return mark ? (letter + mark).normalize('NFC') : null
}

function signOf(hex: string): string | null {
  const code = Number.parseInt(hex, 16)
  const isText = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isText ? String.fromCodePoint(code) : null
}

const joined = (parts: (string | null)[]): string | null => (parts.includes(null) ? null : parts.join(''))
