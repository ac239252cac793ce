import fc from 'fast-check'
import { aFile, MULTIPART } from './certain.ts'
import type { FuzzedRequest } from './requests.ts'
import type { RouteToFuzz, Schema } from './routes.ts'
import { fitting, type Known } from './values.ts'

/**
 * Built when sent, because all together would not fit into memory. `like` groups requests that are parsed the same way on
 * any route: a field with the same name and schema, a header, or a body shape.
 */
export type Named = { what: string; like: string; ask: () => FuzzedRequest }

/** Maximum text of a field without its own limit: a message. */
const MAX_TEXT_CHARACTERS = 1_000_000
/** Node accepts a request head of 16 KiB. */
const MAX_HEAD_BYTES = 15_000

/** Contents of texts that are most expensive to process. */
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

/** Returns valid requests with one part at its maximum size. */
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
      const text = encodeURIComponent(long(filling, MAX_HEAD_BYTES))
        .slice(0, MAX_HEAD_BYTES)
        .replace(/%.?$/, '')
      return ask(`?${one}: ${name}`, `${path}?${one}=${text}`, schema)
    }),
  )
  return [
    ...queries,
    ask('query of ?', `${path}${long('?', MAX_HEAD_BYTES)}`),
    ask('query of names', `${path}?${long('a=&', MAX_HEAD_BYTES)}`),
    ask('path of slashes', `${path}${long('/', MAX_HEAD_BYTES)}`),
    ask('path of percents', `${path}/${long('%25', MAX_HEAD_BYTES)}`),
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
        return { ...asked, headers: { ...headers, [header]: `x${long(filling, MAX_HEAD_BYTES)}x` } }
      }
      const what = `${header} of ${JSON.stringify(filling)}`
      return { what, like: what, ask }
    }),
  )
}

const likeField = ({ body, isForm }: RouteToFuzz, at: string) =>
  `${isForm ? 'form ' : ''}${at} ${JSON.stringify(body?.properties?.[at])}`

/** Groups by access, and by the size of a message. */
const likeBody = ({ access, isForm, body }: RouteToFuzz) =>
  `${access} ${isForm} ${textsOf(body ?? {}).some(({ max }) => max >= MAX_TEXT_CHARACTERS)}`

/** Returns a valid request of the route, optionally with another body. */
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

/** Returns text of a filling, `length` UTF-16 units long. */
export const long = (filling: string, length: number) =>
  filling
    .repeat(Math.ceil(length / filling.length))
    .slice(0, length)
    .toWellFormed()

const megabyte = 1024 * 1024
const pairs = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join(',')

/** Bodies of a given size, in the shapes that are most expensive to parse. */
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

/** Returns bodies of the server's maximum size, and smaller ones for routes with a lower limit. */
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

/** Returns the text and untyped fields of a body, with their maximum length. */
function textsOf(schema: Schema): { at: string; max: number }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([at, one]) => {
    const [found] = [one, ...(one.anyOf ?? [])].filter(({ type }) => type === 'string' || type === undefined)
    return found && !found.anyOf
      ? [{ at, max: Math.min(found.maxLength ?? MAX_TEXT_CHARACTERS, MAX_TEXT_CHARACTERS) }]
      : []
  })
}

/** Returns the list, object and untyped fields, with their maximum number of entries. */
function heapsOf(schema: Schema): { at: string; most: number }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([at, one]) => {
    const [found] = [one, ...(one.anyOf ?? [])].filter(
      ({ type, anyOf }) => !anyOf && (type === 'array' || type === 'object' || type === undefined),
    )
    return found ? [{ at, most: found.maxItems ?? MAX_VALUES }] : []
  })
}

/** Maximum values the server parses in one body. */
const MAX_VALUES = 9_500

const heaps: Record<string, (most: number) => unknown> = {
  numbers: (most) => Array(most).fill(1),
  objects: (most) => Array(most).fill({}),
  texts: (most) => Array(most).fill('a'.repeat(15)),
  'long texts': (most) => Array(Math.min(most, 90)).fill('- '.repeat(5_000)),
  names: () => Object.fromEntries(Array.from({ length: MAX_VALUES }, (_, n) => [`k${n}`, n])),
  'a long text': () => ({ text: 'a '.repeat(400_000), input: ' '.repeat(100_000) }),
  nesting: () => Array.from({ length: 90 }).reduce((inner) => [inner], 1),
}

const uploads = Object.entries(fillings).flatMap(([name, filling]) => [
  { what: `a file name of ${name}`, body: () => aFile(long(filling, 15_000), 'a') },
  { what: `a file of ${name}`, body: () => aFile('a', long(filling, 3_000_000)) },
  { what: `a boundary line of ${name}`, body: () => `--b${long(filling, 1_000_000)}\r\n` },
])

/** Returns how many characters of a filling fit into a route's body. */
function charactersThatFit({ access, isForm }: RouteToFuzz, filling: string, max: number): number {
  const bytes = access === 'public' ? 60_000 : max >= MAX_TEXT_CHARACTERS ? 4_000_000 : 1_000_000
  const written = isForm ? encodeURIComponent(filling) : JSON.stringify(filling).slice(1, -1)
  return Math.floor((bytes * filling.length) / Buffer.byteLength(written))
}
