import fc from 'fast-check'
import type { FuzzedRequest } from './requests.ts'
import type { RouteToFuzz, Schema } from './routes.ts'
import { fitting, type Known } from './values.ts'

type Named = { what: string; asked: FuzzedRequest }

/** The largest text of a field without a limit of its own: a message. */
const TEXT_MAX = 1_000_000
/** Node takes a head of 16 KiB. */
const HEAD_MAX = 15_000

/** What a text may be made of, so that whoever reads it works longest. */
const fillings: Record<string, string> = {
  ...{
    letters: 'a',
    spaces: ' ',
    lines: '\n',
    tabs: '\t',
    stars: '*',
    brackets: '[',
    opening: '(',
    dollars: '$',
  },
  ...{
    digits: '9',
    dots: '.',
    dashes: '- ',
    quotes: '"',
    emoji: '😀',
    ats: 'a@',
    accents: 'e\u0301',
    zeros: '\0',
  },
  ...{
    fences: '```\n',
    tables: '|a',
    links: '![](',
    words: 'add 1 and ',
    times: '1 * ',
    commas: ', ',
    urls: 'http://',
  },
}

/** Requests that fit but for one part, which is as long as it may be. */
export function atTheirLimit(route: RouteToFuzz, known: Known): Named[] {
  const path = route.inPath.reduce(
    (at, name) => at.replace(`{${name}}`, String(known(name)[0] ?? 'x')),
    route.path,
  )
  const ask = (change: Partial<FuzzedRequest>): FuzzedRequest => {
    const asked = { method: route.method, path, headers: {}, body: bodyOf(route, known), ...change }
    if (asked.body === undefined) return asked
    const type = route.isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    return { ...asked, headers: { 'content-type': type, ...asked.headers } }
  }
  const long = (filling: string, length: number) =>
    filling
      .repeat(Math.ceil(length / filling.length))
      .slice(0, length)
      .toWellFormed()
  const named: Named[] = []
  for (const [name, filling] of Object.entries(fillings)) {
    for (const { at, max } of route.body ? textsOf(route.body) : []) {
      const body = { ...(fits(route, known) as object), [at]: long(filling, max) }
      named.push({ what: `${at}: ${max} ${name}`, asked: ask({ body: write(route, body) }) })
    }
    for (const one of Object.keys(route.query)) {
      const text = encodeURIComponent(long(filling, HEAD_MAX)).slice(0, HEAD_MAX).replace(/%.?$/, '')
      named.push({ what: `?${one}: ${name}`, asked: ask({ path: `${path}?${one}=${text}` }) })
    }
  }
  const plain = long('?', HEAD_MAX)
  named.push({ what: 'query of ?', asked: ask({ path: `${path}${plain}` }) })
  named.push({ what: 'query of names', asked: ask({ path: `${path}?${long('a=&', HEAD_MAX)}` }) })
  named.push({ what: 'path of slashes', asked: ask({ path: `${path}${long('/', HEAD_MAX)}` }) })
  named.push({ what: 'path of percents', asked: ask({ path: `${path}/${long('%25', HEAD_MAX)}` }) })
  for (const header of [
    'accept-language',
    'cookie',
    'accept',
    'last-event-id',
    'x-forwarded-for',
    'range',
    'content-type',
    'if-none-match',
    'accept-encoding',
    'authorization',
  ])
    for (const filling of [' ,', ';', 'a=;', '"', 'a,', '=', ' \t', '1.1.1.1,', 'q;q=', '%']) {
      const headers = { [header]: `x${long(filling, HEAD_MAX)}x` }
      named.push({ what: `${header} of ${JSON.stringify(filling)}`, asked: ask({ headers }) })
    }
  return named
}

const megabyte = 1024 * 1024
const pairs = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join(',')

/** Bodies of a size, of the shapes that cost most to read. */
const shapes: Record<string, (size: number) => string> = {
  brackets: (size) => '['.repeat(size),
  'closed brackets': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  nesting: (size) => '{"a":'.repeat(size / 5),
  'closed nesting': (size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  spaces: (size) => ' '.repeat(size),
  lines: (size) => `${'\n'.repeat(size - 2)}{}`,
  'one text': (size) => `{"content":"${'a'.repeat(size - 14)}"}`,
  'one name': (size) => `{"${'a'.repeat(size - 8)}":1}`,
  'many names': (size) => `{${pairs(Math.floor(size / 16))}}`,
  'same names': (size) => `{${'"a":1,'.repeat(size / 6 - 2)}"a":1}`,
  numbers: (size) => `[${'1,'.repeat(size / 2 - 2)}1]`,
  objects: (size) => `[${'{},'.repeat(size / 3 - 2)}{}]`,
  lists: (size) => `{"content":[${'[],'.repeat(size / 3 - 8)}[]]}`,
  escapes: (size) => `{"content":"${'\\u0061'.repeat(size / 6 - 4)}"}`,
  'half characters': (size) => `{"content":"${'\\ud800'.repeat(size / 6 - 4)}"}`,
  digits: (size) => `{"content":${'9'.repeat(size - 16)}}`,
  form: (size) => 'a=&'.repeat(size / 3),
  percents: (size) => `a=${'%25'.repeat(size / 3)}`,
}

/** Bodies as large as the server reads at all, and smaller ones for routes that take less. */
export function bodyShapes(route: RouteToFuzz, known: Known): Named[] {
  const path = route.inPath.reduce(
    (at, name) => at.replace(`{${name}}`, String(known(name)[0] ?? 'x')),
    route.path,
  )
  return Object.entries(shapes).flatMap(([name, shape]) =>
    [8, 1, 0.25, 0.0625].map((size) => {
      const isForm = name === 'form' || name === 'percents'
      const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
      const body = shape(Math.floor(size * megabyte) - 2)
      const asked = { method: route.method, path, headers: { 'content-type': type }, body }
      return { what: `${size} MB of ${name}`, asked }
    }),
  )
}

const bodyOf = (route: RouteToFuzz, known: Known) =>
  route.body ? write(route, fits(route, known)) : undefined

function fits({ body, name }: RouteToFuzz, known: Known): unknown {
  return body ? fc.sample(fitting(body, known), { numRuns: 1, seed: name.length })[0] : {}
}

function write({ isForm }: RouteToFuzz, value: unknown): string {
  if (!isForm) return JSON.stringify(value)
  const fields = Object.entries(value as object).map(([key, one]): [string, string] => [key, String(one)])
  return new URLSearchParams(fields).toString()
}

/** The fields of a body that hold text, or anything, with the length they may have. */
function textsOf(schema: Schema): { at: string; max: number }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([at, one]) => {
    const [found] = [one, ...(one.anyOf ?? [])].filter(({ type }) => type === 'string' || type === undefined)
    return found && !found.anyOf ? [{ at, max: Math.min(found.maxLength ?? TEXT_MAX, TEXT_MAX) }] : []
  })
}
