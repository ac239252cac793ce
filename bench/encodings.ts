import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { decodeText } from '../src/parsers/text/decode-text.ts'
import { atLeast } from './measure/targets.ts'

/** Locales of a validation library, whose messages are texts in many languages, and encodings each was written in. */
const languages: Record<string, string[]> = {
  ...{
    ru: ['windows-1251', 'koi8-r', 'iso-8859-5', 'cp866'],
    uk: ['windows-1251', 'koi8-u'],
    be: ['windows-1251'],
  },
  ...{ bg: ['windows-1251', 'cp866'], mk: ['windows-1251'], el: ['windows-1253', 'iso-8859-7', 'cp737'] },
  ...{ tr: ['windows-1254', 'cp857'], az: ['windows-1254'], he: ['windows-1255', 'iso-8859-8'] },
  ...{ ar: ['windows-1256', 'iso-8859-6'], fa: ['windows-1256'], ur: ['windows-1256'], th: ['windows-874'] },
  ...{ pl: ['windows-1250', 'iso-8859-2', 'cp852'], cs: ['windows-1250', 'iso-8859-2'] },
  ...{ hu: ['windows-1250', 'iso-8859-2'], ro: ['windows-1250'], hr: ['windows-1250', 'iso-8859-2'] },
  ...{ sl: ['windows-1250', 'iso-8859-2'], lt: ['windows-1257'], vi: ['windows-1258'] },
  ...{ ja: ['shift_jis', 'euc-jp'], 'zh-CN': ['gb18030'], 'zh-TW': ['big5'], ko: ['euc-kr'] },
  ...{ fr: ['windows-1252', 'macintosh', 'cp850'], de: ['windows-1252', 'macintosh', 'cp850'] },
  ...{ es: ['windows-1252', 'cp850'], pt: ['windows-1252'], it: ['windows-1252'], nl: ['windows-1252'] },
  ...{ sv: ['windows-1252', 'cp850'], da: ['windows-1252'], no: ['windows-1252'], fi: ['windows-1252'] },
  ...{ is: ['windows-1252'], ca: ['windows-1252'] },
}

/**
 * Decodes texts without a byte order mark: a whole program, a table, and one to five messages, in the encodings of their
 * languages. A text counts when it is read without a wrong letter.
 *
 *   npm run bench -- encodings
 */
export async function run(): Promise<object> {
  const wrong: string[] = []
  let count = 0
  for (const [language, encodings] of Object.entries(languages)) {
    for (const [kind, text] of Object.entries(textsIn(language))) {
      for (const encoding of encodings) {
        const bytes = iconv.encode(encoding === 'windows-1258' ? withTones(text) : text, encoding)
        if (iconv.decode(bytes, encoding).normalize('NFC') !== text || !bytes.some((byte) => byte > 127))
          continue
        count += 1
        const read = decodeText(bytes)
        if (read.text.normalize('NFC') !== text)
          wrong.push(`${language} ${encoding}: ${kind} as ${read.encoding}`)
      }
    }
  }
  const share = Math.round((1 - wrong.length / count) * 1000) / 1000
  return {
    texts: count,
    read: share,
    wrong,
    targets: [atLeast('texts read without a wrong letter', share, 0.95, '')],
  }
}

function textsIn(language: string): Record<string, string> {
  const path = join(import.meta.dirname, '..', 'node_modules', 'zod', 'v4', 'locales', `${language}.js`)
  const program = readFileSync(path, 'utf8')
    .replace(/[\u200e\u200f]/g, '')
    .normalize('NFC')
  const messages = [...program.matchAll(/["`]([^"`\n]*[^\0-\x7f][^"`\n]*)["`]/g)].map(([, one = '']) =>
    one.replace(/\$\{[^}]*\}/g, 'x'),
  )
  const table = messages.map((message, at) => `${at};${message};OK;2026-01-01`).join('\n')
  const few = {
    one: messages[0] ?? '',
    two: messages.slice(3, 5).join('\n'),
    five: messages.slice(5, 10).join('\n'),
  }
  return { program, table, ...few, last: messages.at(-1) ?? '' }
}

const TONE = /[\u0300\u0301\u0303\u0309\u0323]/
/** Writes each Vietnamese tone behind its letter, as Windows-1258 does. */
const withTones = (text: string) =>
  [...text]
    .map((sign) => {
      const parts = sign.normalize('NFD')
      return parts.replace(TONE, '').normalize('NFC') + (TONE.exec(parts)?.[0] ?? '')
    })
    .join('')
