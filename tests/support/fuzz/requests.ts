import fc from 'fast-check'
import type { RouteToFuzz } from './routes.ts'
import { fitting, type Known, nearly, oddText, writeJson } from './values.ts'

export type FuzzedRequest = {
  method: string
  /** Relative to `/api/v1`, ready to be sent. */
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** Generates valid, nearly valid and invalid requests of a route. */
export function requestsTo(route: RouteToFuzz, known: Known): fc.Arbitrary<FuzzedRequest> {
  const path = fc.tuple(pathsOf(route, known), queriesOf(route, known)).map(([at, query]) => at + query)
  return fc
    .record({ path, sent: bodiesOf(route, known), more: headers })
    .map(({ path: at, sent: { type, body }, more }) => ({
      ...{ method: route.method, path: at, body },
      headers: { ...more, ...(type && body !== undefined ? { 'content-type': type } : {}) },
    }))
}

function pathsOf({ path, inPath }: RouteToFuzz, known: Known): fc.Arbitrary<string> {
  if (inPath.length === 0) return fc.constant(path)
  const parameter = (name: string) => {
    const rows = known(name).map(String)
    const real = rows.length > 0 ? fc.constantFrom(...rows) : fc.uuid()
    const raw = fc.constantFrom(
      '%',
      '%E0%A4',
      '%00',
      '..%2f..',
      '%ff',
      'a%20b',
      '%5c',
      ';',
      ':',
      'x'.repeat(600),
    )
    return fc.oneof(
      { weight: 12, arbitrary: real.map(encodeURIComponent) },
      { weight: 1, arbitrary: fc.uuid() },
      { weight: 1, arbitrary: oddText.map((text) => encodeURIComponent(text.toWellFormed()) || '-') },
      { weight: 1, arbitrary: raw },
    )
  }
  return fc
    .tuple(...inPath.map(parameter))
    .map((values) => inPath.reduce((at, name, n) => at.replace(`{${name}}`, () => values[n] ?? ''), path))
}

function queriesOf({ query }: RouteToFuzz, known: Known): fc.Arbitrary<string> {
  const stray = fc.constantFrom(
    '__proto__=1',
    'a[b]=c',
    'constructor[prototype]=1',
    '%',
    '%00=%00',
    '=',
    '&&&',
    'x=1&x=2',
    '%E0%A4=',
  )
  const named = Object.entries(query).map(([name, schema]) => {
    const real = fitting(schema, known, name).map((value) => String(value))
    const value = fc.oneof({ weight: 4, arbitrary: real }, { weight: 1, arbitrary: oddText })
    const pair = value.map((text) => `${name}=${encodeURIComponent(text.toWellFormed())}`)
    return fc.oneof(
      { weight: 3, arbitrary: pair.map((one) => [one]) },
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.tuple(pair, pair) },
    )
  })
  const strays = fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(stray) },
  )
  return fc.tuple(...named, strays).map((parts) => {
    const all = (parts as string[][]).flat()
    return all.length > 0 ? `?${all.join('&')}` : ''
  })
}

type Sent = { type: string | undefined; body: string | undefined }
const jsonType = 'application/json'

function bodiesOf({ method, body, isForm, isUpload }: RouteToFuzz, known: Known): fc.Arbitrary<Sent> {
  if (method === 'GET' || method === 'DELETE') return fc.constant({ type: undefined, body: undefined })
  if (isUpload)
    return fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...uploads) },
      { weight: 1, arbitrary: fc.constantFrom(...raw) },
    )
  const fits = body ? fitting(body, known) : fc.jsonValue()
  const write = isForm ? asForm : asJson
  return fc.oneof(
    { weight: 5, arbitrary: fits.map(write) },
    { weight: 6, arbitrary: nearly(fits).map(write) },
    { weight: 1, arbitrary: (body ? fits : fc.constant(undefined)).map(isForm ? asJson : asForm) },
    { weight: 2, arbitrary: fc.constantFrom(...raw) },
  )
}

const asJson = (value: unknown): Sent => ({ type: jsonType, body: writeJson(value) })

function asForm(value: unknown): Sent {
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const pairs = fields.map(([name, one]): [string, string] => [
    name.toWellFormed(),
    sayText(one).toWellFormed(),
  ])
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(pairs).toString() }
}

const sayText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const part = (head: string, content = 'x') => `--b\r\n${head}\r\n\r\n${content}\r\n`
const file = 'content-disposition: form-data; name="file"; filename="a.txt"'

const uploads: Sent[] = [
  `${part(file)}--b--`,
  part(file),
  `${part(file, '')}--b--`,
  `${part('x')}--b--`,
  `${part(`${file}\r\ncontent-type: \0`)}--b--`,
  `${part(file.replace('a.txt', '../\0'))}--b--`,
  `${part('content-disposition: form-data; name="__proto__"')}--b--`,
  `${part('content-disposition: form-data; name="a"').repeat(30)}${part(file)}--b--`,
  '--b--',
  part(file).repeat(3),
].map((body) => ({ type: 'multipart/form-data; boundary=b', body }))

/** Bodies that are invalid JSON, or have trailing data, and wrong content types. */
const raw: Sent[] = [
  ...[
    '',
    ' ',
    '{',
    '[',
    'null',
    '1',
    '"x"',
    '[]',
    '{}',
    '{"a":1}{',
    'NaN',
    '\ufeff{}',
    '{"a":1,"a":2}',
    '{"\\u0000":1}',
  ].map((body) => ({ type: jsonType, body })),
  ...[
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '"\\ud800"',
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    '['.repeat(20_000),
  ].map((body) => ({ type: jsonType, body })),
  ...[
    'text/plain',
    'text/html',
    'application/xml',
    'application/json; charset=utf-16',
    'application/json;',
    '/',
    'x',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=b',
    'application/octet-stream',
  ].map((type) => ({ type, body: '{"a":1}' })),
  { type: undefined, body: '{"a":1}' },
  ...uploads,
  { type: 'application/x-www-form-urlencoded', body: 'a=1&a=2&__proto__=3&%=%&b[c]=4' },
]

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>[]>(
      { 'accept-language': 'fr;q=x, *;q=-1, zz-ZZ' },
      { 'accept-language': ','.repeat(3_000) },
      { cookie: 'token=%; sse_auth_token=%00; =; ;;' },
      { cookie: '__proto__=1; constructor=2' },
      { 'last-event-id': '99999999999999999999' },
      { 'last-event-id': '-1, constructor' },
      { accept: 'text/event-stream' },
      { accept: 'application/xml;q=0' },
      { range: 'bytes=0-0,5-1' },
      { 'if-none-match': '"x"' },
      { 'content-encoding': 'gzip' },
      { 'x-forwarded-for': `${'1.1.1.1,'.repeat(50)}::1` },
      { 'x-http-method-override': 'DELETE' },
    ),
  },
)
