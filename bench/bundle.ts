import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { round } from './measure/statistics.ts'
import { atMost } from './measure/targets.ts'

type Chunk = { file: string; src?: string; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

const dist = join(import.meta.dirname, '..', 'dist', 'web')

/** Modules a route loads before it works: the entry, its chunk and all their imports, gzipped in kB (1,000 bytes). */
const routes: Record<string, string[]> = {
  login: ['index.html'],
  chat: ['index.html', 'src/web/lifecycle/shell/home.tsx', 'src/web/chat/messages/chat-view.tsx'],
}

/** Measures the built web by route. Build it first. */
export async function run() {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Manifest
  const sizes = Object.fromEntries(
    Object.entries(routes).map(([route, entries]) => [route, measure(manifest, entries)]),
  )
  const { login, chat } = sizes
  const css = Math.max(login?.css_kb ?? 0, chat?.css_kb ?? 0)
  return {
    routes: sizes,
    targets: [
      atMost('JavaScript of the login', login?.js_kb ?? null, 134, 'kB gzip'),
      atMost('JavaScript of the chat', chat?.js_kb ?? null, 290, 'kB gzip'),
      atMost('CSS', css, 23, 'kB gzip'),
    ],
  }
}

function measure(manifest: Manifest, entries: string[]) {
  const js = new Set<string>()
  const css = new Set<string>()
  const visit = (key: string) => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`the build has no chunk for ${key}`)
    if (js.has(chunk.file)) return
    js.add(chunk.file)
    for (const file of chunk.css ?? []) css.add(file)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const entry of entries) visit(entry)
  const files = [...js, ...css]
    .map((file) => ({ file, kb: round(bytesOf(file) / 1000, 1) }))
    .sort((a, b) => b.kb - a.kb)
  const sum = (names: Set<string>) =>
    round([...names].reduce((total, file) => total + bytesOf(file), 0) / 1000, 1)
  return { js_kb: sum(js), css_kb: sum(css), files }
}

function bytesOf(file: string): number {
  return gzipSync(readFileSync(join(dist, file)), { level: 6 }).length
}
