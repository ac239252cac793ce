import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Language } from '#shared/platform/primitives.ts'
import { Namespace } from '#shared/platform/translations.ts'
import { startApp, type TestApp } from '#tests/app.ts'

type Texts = { [key: string]: string | Texts }

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const read = (path: string): Texts => JSON.parse(readFileSync(root + path, 'utf8'))
const folders = globSync('src/server/knowledge/connectors/sources/*/', { cwd: root })
/** The texts of a namespace, with those of the sources of connectors. */
function textsOf(lng: string, ns: string): Texts {
  const texts = read(`locales/${lng}/${ns}.json`)
  if (ns !== 'connectors') return texts
  const ofFolders = folders.map((folder) => read(`${folder}/texts/${lng}/connectors.json`))
  const groupOf = (group: string) => Object.assign({}, ...ofFolders.map((own) => own[group]))
  return { ...texts, sources: groupOf('sources'), picks: groupOf('picks') }
}
const flatten = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  )
const code = globSync('src/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(root + file, 'utf8'))

let app: TestApp
beforeAll(async () => {
  app = await startApp({ jobs: false })
})
afterAll(() => app.close())
const get = async (path: string, headers = {}) => {
  const answer = await app.http.inject({ url: `/api/v1/translations/${path}`, headers })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}

describe.each(Language.options)('translations in %s', (lng) => {
  it.each(Namespace.options)('of %s are served to everyone unchanged [SV-10, I18-04]', async (ns) => {
    const { status, body, headers } = await get(`${lng}/${ns}`)
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body).toEqual(textsOf(lng, ns))
    expect(headers['cache-control']).toBe('no-cache')
  })
})

describe('translations', () => {
  it.each([
    'de/common',
    'en/nothing',
    'EN/common',
    'en/common.json',
    'en/..%2f..%2fpackage',
    'fr',
    'en/common/more',
  ])('do not exist at %s [SV-10]', async (path) => {
    expect((await get(path)).status).toBe(404)
  })

  it.each(Namespace.options)('of %s have the same keys and placeholders in both languages', (ns) => {
    const [en, fr] = [formsOf('en', ns), formsOf('fr', ns)]
    expect([...fr.keys()].sort()).toEqual([...en.keys()].sort())
    for (const [key, english] of en) expect(fr.get(key), `${ns}:${key}`).toEqual(english)
  })

  it('are all used by the code', () => {
    expect(code.length).toBeGreaterThan(200)
    expect(isAsked('login', 'log_in')).toBe(true)
    expect(isAsked('login', 'nobody_asks_for_this')).toBe(false)
    const unused = Namespace.options.flatMap((ns) =>
      [...formsOf('en', ns).keys()].filter((key) => !isAsked(ns, key)).map((key) => `${ns}:${key}`),
    )
    expect(unused).toEqual([])
  })
})

/** Returns the placeholders of each text by key. Plural forms count as one text, and not every form must contain the number. */
function formsOf(lng: string, ns: string): Map<string, string[]> {
  const forms = new Map<string, Set<string>>()
  for (const [form, text] of flatten(textsOf(lng, ns))) {
    const key = form.replace(/_(zero|one|many|other)$/, '')
    const values = [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, value]) => value ?? '')
    forms.set(key, new Set([...(forms.get(key) ?? []), ...values]))
  }
  return new Map([...forms].map(([key, values]) => [key, [...values].sort()]))
}

/** Every string literal of the code. A part known only at run time matches anything. */
const patterns = code.flatMap((text) => [
  ...[...text.matchAll(/'([^'\n\\]*)'|"([^"\n\\]*)"/g)].map(([, single, double]) => single ?? double ?? ''),
  ...[...text.matchAll(/`([^`]+)`/g)].map(([, template = '']) => template.replace(/\$\{[^}]*\}/g, '\0')),
])
const literal = new Set(patterns.filter((pattern) => !pattern.includes('\0')))
/** It must begin with a group of texts, since a namespace alone would match every text. */
const composed = patterns
  .filter((pattern) => /^(\w+:)?\w+[._][\w.\0]*$/.test(pattern) && pattern.includes('\0'))
  .map((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('\0', '.+')}$`))

/** The server reads texts of mails, files and pages as objects, by their last key segment. */
const objects = ['mail.', 'billing.file.', 'archive.', 'closed.', 'sentence.', 'event_data.', 'said.']

/** Returns whether the code uses a key, literally or by a pattern. */
function isAsked(ns: string, key: string): boolean {
  const names = [key, `${ns}:${key}`]
  if (names.some((name) => literal.has(name) || composed.some((pattern) => pattern.test(name)))) return true
  return objects.some((start) => key.startsWith(start))
}
