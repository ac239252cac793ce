import { gzipSync } from 'node:zlib'

/** A body that costs more to parse than to send. */
export type HeavyBody = { what: string; headers: Record<string, string>; bytes: Buffer; isChunked: boolean }

const fill = (unit: string, size: number) => unit.repeat(Math.max(1, Math.floor(size / unit.length)))
const numbers = (size: number, separator: string) =>
  Array.from({ length: Math.floor(size / 7) }, (_, n) => String(n)).join(separator)

/** JSON of a given size, in the shapes that are most expensive to parse. */
const json: Record<string, (size: number) => string> = {
  'deep brackets': (size) => fill('[', size / 2) + fill(']', size / 2),
  'open brackets': (size) => fill('[', size),
  'many arrays': (size) => `[${fill('[],', size)}1]`,
  'many keys': (size) =>
    `{${Array.from({ length: Math.floor(size / 14) }, (_, n) => `"${n.toString(16)}":1`).join(',')}}`,
  'one text': (size) => `{"a":"${fill('\\u0061', size)}"}`,
}
const form: Record<string, (size: number) => string> = {
  'pairs without names': (size) => numbers(size, '&'),
  'empty pairs': (size) => fill('&', size),
  percents: (size) => `a=${fill('%25', size)}`,
  'half percents': (size) => `a=${fill('%E0%A4', size)}`,
}
const PART =
  '--b\r\ncontent-disposition: form-data; name="a"\r\ncontent-type: application/json\r\n\r\n[[[[\r\n'

const KB = 1024
/** Sizes around the limits of public routes, ordinary routes and SCIM, and beyond most limits. */
const sizes = [60 * KB, 250 * KB, 1000 * KB, 1900 * KB, 6000 * KB]

/** Returns every heavy body, in every type and size; `isThin` omits most sizes. */
export function heavyBodies({ isThin = false } = {}): HeavyBody[] {
  const some = (make: (size: number) => string) =>
    (isThin ? [60 * KB, 1000 * KB, 1900 * KB] : sizes).map((size) => Buffer.from(make(size)))
  const all: HeavyBody[] = []
  const add = (what: string, type: string, texts: Buffer[], more: Record<string, string> = {}) => {
    for (const bytes of texts)
      all.push({
        what: `${Math.round(bytes.length / KB)} kB of ${what} as ${type}`,
        ...{ headers: { 'content-type': type, ...more }, bytes, isChunked: all.length % 3 === 0 },
      })
  }
  for (const type of ['application/json', 'application/scim+json', 'text/plain', 'nonsense'])
    for (const [what, make] of Object.entries(json)) add(what, type, some(make))
  for (const [what, make] of Object.entries(form)) add(what, 'application/x-www-form-urlencoded', some(make))
  add(
    'tiny parts',
    'multipart/form-data; boundary=b',
    some((size) => fill(PART, size)),
  )
  add(
    'boundaries',
    'multipart/form-data; boundary=b',
    some((size) => fill('--b\r\n', size)),
  )
  const packed = gzipSync(fill('[', 6_000_000))
  add('packed brackets', 'application/json', [packed], { 'content-encoding': 'gzip' })
  return all
}
