import fc from 'fast-check'
import { aFile, MULTIPART } from './certain.ts'
import type { FuzzedRequest } from './requests.ts'
import type { RouteToFuzz, Schema } from './routes.ts'
import { fitting, type Known } from './values.ts'

/**
 * Made when it is sent: all together would not fit into memory. `like` is the same for what is read in the same way, on
 * whichever route: a field of one name and schema, a header, a shape of a body.
 */
export type Named = { what: string; like: string; ask: () => FuzzedRequest }

/** The largest text of a field without a limit of its own: a message. */
const TEXT_MAX = 1_000_000
/** Node takes a head of 16 KiB. */
const HEAD_MAX = 15_000

/** What a text may be made of, so that whoever reads it works longest. */
export const fillings: Record<string, string> = {
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
  return [...inTheirBody(route, known), ...inTheirAddress(route, known), ...inTheirHeaders(route, known)]
}

function inTheirBody(route: RouteToFuzz, known: Known): Named[] {
  if (route.isUpload)
    return uploads.map(({ what, body }) => ({ what, like: what, ask: () => anUpload(route, body()) }))
  if (!route.body) return []
  const fitting = fits(route, known) as object
  const texts = textsOf(route.body).flatMap(({ at, max }) =>
    Object.entries(fillings).map(([name, filling]): Named => {
      const length = Math.min(max, charactersThatFit(route, filling, max))
      const ask = () => aRequest(route, known, { ...fitting, [at]: long(filling, length) })
      return { what: `${at}: ${length} ${name}`, like: `${likeField(route, at)} ${length} ${name}`, ask }
    }),
  )
  if (route.isForm) return texts
  const values = heapsOf(route.body).flatMap(({ at, most }) =>
    Object.entries(heaps).map(
      ([name, heap]): Named => ({
        ...{ what: `${at}: ${name}`, like: `${likeField(route, at)} ${name}` },
        ask: () => aRequest(route, known, { ...fitting, [at]: heap(most) }),
      }),
    ),
  )
  return [...texts, ...values]
}

function inTheirAddress(route: RouteToFuzz, known: Known): Named[] {
  const path = pathOf(route, known)
  const ask = (what: string, to: string, schema?: Schema): Named => ({
    ...{ what, like: `${what} ${JSON.stringify(schema)}` },
    ask: () => ({ ...aRequest(route, known), path: to }),
  })
  const queries = Object.entries(route.query).flatMap(([one, schema]) =>
    Object.entries(fillings).map(([name, filling]) => {
      const text = encodeURIComponent(long(filling, HEAD_MAX)).slice(0, HEAD_MAX).replace(/%.?$/, '')
      return ask(`?${one}: ${name}`, `${path}?${one}=${text}`, schema)
    }),
  )
  return [
    ...queries,
    ask('query of ?', `${path}${long('?', HEAD_MAX)}`),
    ask('query of names', `${path}?${long('a=&', HEAD_MAX)}`),
    ask('path of slashes', `${path}${long('/', HEAD_MAX)}`),
    ask('path of percents', `${path}/${long('%25', HEAD_MAX)}`),
  ]
}

const heads = [
  'accept-language',
  'cookie',
  'accept',
  'last-event-id',
  'x-forwarded-for',
  'range',
  'authorization',
]
const moreHeads = ['content-type', 'if-none-match', 'accept-encoding', 'origin', 'host']

function inTheirHeaders(route: RouteToFuzz, known: Known): Named[] {
  return [...heads, ...moreHeads].flatMap((header) =>
    [' ,', ';', 'a=;', '"', 'a,', '=', ' \t', '1.1.1.1,', 'q;q=', '%'].map((filling) => {
      const ask = () => {
        const { headers, ...asked } = aRequest(route, known)
        return { ...asked, headers: { ...headers, [header]: `x${long(filling, HEAD_MAX)}x` } }
      }
      const what = `${header} of ${JSON.stringify(filling)}`
      return { what, like: what, ask }
    }),
  )
}

const likeField = ({ body, isForm }: RouteToFuzz, at: string) =>
  `${isForm ? 'form ' : ''}${at} ${JSON.stringify(body?.properties?.[at])}`

/** Who may send it, and whether it is as large as a message. */
const likeBody = ({ access, isForm, body }: RouteToFuzz) =>
  `${access} ${isForm} ${textsOf(body ?? {}).some(({ max }) => max >= TEXT_MAX)}`

/** The route's request as it fits, or with another body. */
function aRequest(route: RouteToFuzz, known: Known, value?: object): FuzzedRequest {
  const asked = { method: route.method, path: pathOf(route, known), headers: {} }
  if (!route.body) return { ...asked, body: undefined }
  const type = route.isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const body = write(route, value ?? fits(route, known))
  return { ...asked, headers: { 'content-type': type }, body }
}

const pathOf = (route: RouteToFuzz, known: Known) =>
  route.inPath.reduce(
    (at, name) => at.replace(`{${name}}`, encodeURIComponent(String(known(name)[0] ?? 'x'))),
    route.path,
  )

const anUpload = (route: RouteToFuzz, body: string): FuzzedRequest => ({
  ...{ method: route.method, path: route.path, headers: { 'content-type': MULTIPART }, body },
})

/** Text of a filling, `length` units of UTF-16 long. */
export const long = (filling: string, length: number) =>
  filling
    .repeat(Math.ceil(length / filling.length))
    .slice(0, length)
    .toWellFormed()

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
  if (route.isUpload) return []
  return Object.entries(shapes).flatMap(([name, shape]) =>
    [8, 4, 1, 0.0625].map((size) => {
      const isForm = name === 'form' || name === 'percents'
      const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
      const ask = () => {
        const body = shape(Math.floor(size * megabyte) - 2)
        return { method: route.method, path: pathOf(route, known), headers: { 'content-type': type }, body }
      }
      const what = `${size} MB of ${name}`
      return { what, like: `${what} ${likeBody(route)}`, ask }
    }),
  )
}

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

/** The fields that hold a list, an object or anything, with how many entries they may have. */
function heapsOf(schema: Schema): { at: string; most: number }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([at, one]) => {
    const [found] = [one, ...(one.anyOf ?? [])].filter(
      ({ type, anyOf }) => !anyOf && (type === 'array' || type === 'object' || type === undefined),
    )
    return found ? [{ at, most: found.maxItems ?? VALUES_MAX }] : []
  })
}

/** Values the server reads of one body. */
const VALUES_MAX = 9_500

const heaps: Record<string, (most: number) => unknown> = {
  numbers: (most) => Array(most).fill(1),
  objects: (most) => Array(most).fill({}),
  texts: (most) => Array(most).fill('a'.repeat(15)),
  'long texts': (most) => Array(Math.min(most, 90)).fill('- '.repeat(5_000)),
  names: () => Object.fromEntries(Array.from({ length: VALUES_MAX }, (_, n) => [`k${n}`, n])),
  'a long text': () => ({ text: 'a '.repeat(400_000), input: ' '.repeat(100_000) }),
  nesting: () => Array.from({ length: 90 }).reduce((inner) => [inner], 1),
}

const uploads = Object.entries(fillings).flatMap(([name, filling]) => [
  { what: `a file name of ${name}`, body: () => aFile(long(filling, 15_000), 'a') },
  { what: `a file of ${name}`, body: () => aFile('a', long(filling, 3_000_000)) },
  { what: `a boundary line of ${name}`, body: () => `--b${long(filling, 1_000_000)}\r\n` },
])

/** Characters of a filling that the body of a route has room for. */
function charactersThatFit({ access, isForm }: RouteToFuzz, filling: string, max: number): number {
  const bytes = access === 'public' ? 60_000 : max >= TEXT_MAX ? 4_000_000 : 1_000_000
  const written = isForm ? encodeURIComponent(filling) : JSON.stringify(filling).slice(1, -1)
  return Math.floor((bytes * filling.length) / Buffer.byteLength(written))
}
