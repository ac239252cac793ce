import { describe, expect, it } from 'vitest'
import { Namespace } from '#shared/platform/translations.ts'

type Texts = { [key: string]: string | Texts }

const files = import.meta.glob<{ default: Texts }>('../../../../locales/*/*.json', { eager: true })
const sources = import.meta.glob<string>(
  ['../../**/*.{ts,tsx}', '../../../{tools,viewers}/**/*.tsx', '!../../**/*.test.*'],
  {
    eager: true,
    query: '?raw',
    import: 'default',
  },
)

const texts = (lng: string, ns: string) => files[`../../../../locales/${lng}/${ns}.json`]?.default
const flatten = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  )
const known = new Set(
  Namespace.options.flatMap((ns) => flatten(texts('en', ns) ?? {}).map(([key]) => `${ns}:${key}`)),
)
const has = (key: string) => known.has(key) || known.has(`${key}_one`) || known.has(`${key}_other`)

describe.each(Namespace.options)('texts of %s', (ns) => {
  it(`${ns} exists in both languages with exactly the same keys [I18-05]`, () => {
    const [en, fr] = [texts('en', ns), texts('fr', ns)]
    if (!en || !fr) throw new Error(`${ns} is missing in a language`)
    expect(keysOf(en).length).toBeGreaterThan(0)
    expect(keysOf(fr)).toEqual(keysOf(en))
  })

  it(`${ns} has a text for every key and the same values in both languages`, () => {
    const french = Object.fromEntries(flatten(texts('fr', ns) ?? {}))
    for (const [key, english] of flatten(texts('en', ns) ?? {})) {
      expect(english.trim(), key).not.toBe('')
      expect(valuesIn(french[key] ?? ''), key).toEqual(valuesIn(english))
    }
  })

  it(`${ns} follows French typography: no-break spaces before ; : ! ?, and quotes « » [I18-01]`, () => {
    const wrong = flatten(texts('fr', ns) ?? {}).filter(
      ([key, text]) => isBadFrench(text) && !exact.includes(`${ns}:${key}`),
    )
    expect(wrong).toEqual([])
  })
})

it('has a namespace for each part of the product [I18-05]', () => {
  expect(Namespace.options).toEqual(
    expect.arrayContaining([
      ...['common', 'admin', 'assistant', 'tools', 'documents'],
      ...['streaming_blocks', 'tool_ui', 'login', 'onboarding'],
    ]),
  )
})

describe('code', () => {
  it('is found by this test', () => {
    expect(Object.keys(sources).length).toBeGreaterThan(60)
    expect(known.size).toBeGreaterThan(200)
    expect(wordsInJsx('<p className="x">\n  Hello there\n</p><b title="Say hello">{t(\'a\')}</b>')).toEqual([
      'Hello there',
      'Say hello',
    ])
    expect(keysUsed("useTranslation('login'); t('log_in'); t('common:nope')")).toEqual([
      'login:log_in',
      'common:nope',
    ])
    expect(['Vraiment ?', 'Oui: non', 'dit "oui"'].filter(isBadFrench)).toHaveLength(3)
  })

  it('uses only texts that exist', () => {
    const missing = Object.entries(sources).flatMap(([file, code]) =>
      keysUsed(code)
        .filter((key) => !has(key))
        .map((key) => `${file}: ${key}`),
    )
    expect(missing).toEqual([])
  })

  it('has no hard-coded text on the screen', () => {
    const literals = Object.entries(sources)
      .filter(([file]) => file.endsWith('.tsx'))
      .flatMap(([file, code]) => wordsInJsx(code).map((words) => `${file}: ${words}`))
    expect(literals).toEqual([])
  })
})

function keysOf(texts: Texts): string[] {
  return (
    flatten(texts)
      // French has a plural form that English lacks, so plural forms count as one key.
      .map(([key]) => key.replace(/_(one|many|other)$/, ''))
      .filter((key, index, keys) => keys.indexOf(key) === index)
      .sort()
  )
}

function valuesIn(text: string): string[] {
  return [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name ?? '').sort()
}

/** A high punctuation mark needs a no-break space before it, except in an address or a time. */
/** Texts whose letters are given, with straight apostrophes and full stops. */
const exact = ['loading', 'listing', 'empty'].map((key) => `tool_ui:prospecting.${key}`)

function isBadFrench(text: string): boolean {
  const bare = text.replace(/\{\{.*?\}\}/g, 'x').replace(/https?:\S+|\d:\d/g, '')
  return /[^\u202f\u00a0\s][;!?]|\p{L}:(?=\s|$)|[ ][;:!?]|["“”]|\p{L}'\p{L}|\.{3}|\u202f:|« |\s»(?<![\u202f\u00a0]»)/u.test(
    bare,
  )
}

/** Returns the keys that a file uses literally. Computed keys are tested where they are used. */
function keysUsed(code: string): string[] {
  const namespaces = [...code.matchAll(/useTranslation\(\s*'(\w+)'/g)].map(([, ns]) => ns)
  return [...code.matchAll(/\bt(?:ranslate)?\(\s*'([\w.:]+)'/g)]
    .map(([, key = '']) => key)
    .filter((key) => key.includes(':') || namespaces.length > 0)
    .map((key) =>
      key.includes(':')
        ? key
        : (namespaces.map((ns) => `${ns}:${key}`).find(has) ?? `${namespaces[0]}:${key}`),
    )
}

/** Returns texts between tags, and in visible or spoken attributes. */
function wordsInJsx(code: string): string[] {
  const withoutComments = code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const between = withoutComments.matchAll(
    /<\/?[A-Za-z][^<>]*[^=<>]>\s*([^<>{}()=;]*\p{L}{2,}[^<>{}()=;]*?)\s*<\//gu,
  )
  const spoken = withoutComments.matchAll(
    /\s(?:aria-label|title|placeholder|alt|label|name)="([^"]*\p{L}{2,}[^"]*)"/gu,
  )
  return [
    ...[...between].map(([, words]) => (words ?? '').trim()),
    ...[...spoken].map(([, words]) => words ?? '').filter((words) => /[A-Z ]/.test(words)),
  ].filter(Boolean)
}
