import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'

type Import = { from: string; to: string; isType: boolean }

const root = new URL('.', import.meta.url).pathname
const files = globSync('**/*.{ts,tsx}', { cwd: root }).sort()
const sources = files.filter((file) => !/\.test\.tsx?$/.test(file))
const read = (file: string) => readFileSync(root + file, 'utf8')
const imports = sources.flatMap(importsOf)

const holdsSql =
  /\b(selectFrom|updateTable|insertInto|deleteFrom|mergeInto)\(|\bsql(<[^`]*>)?`|CompiledQuery\.raw/
/** The domains, lowest first. A domain never imports a later one. */
const domains = [
  'platform',
  'identity',
  'models',
  'money',
  'runs',
  'knowledge',
  'tools',
  'chat',
  'api',
  'lifecycle',
]
/** Files outside the domains that compose them and may import all of them. */
const compositions: Record<string, RegExp> = {
  server: /^(main|app|compose|feature|features|load-code|open-platform)\.ts$/,
  web: /^(app-views|main|routes|views)\.tsx$|^styles[\w-]*\.css$/,
  shared: /^$/,
}

/** A kind of model provider is one folder of these. */
const providers = 'server/models/providers/'
/** A source of connectors is one folder of these. */
const connectorSources = 'server/knowledge/connectors/sources/'

const arrows: { from: RegExp; never: RegExp; because: string }[] = [
  {
    from: /^shared\//,
    never: /^(server|web|tools|parsers|viewers)\/|^node:/,
    because: 'shared is pure: no Node, no runtime',
  },
  {
    from: /^web\//,
    never: /^server\/|^node:|^tools\/[^/]+\/run\.ts$/,
    because: 'the web reaches the server over HTTP',
  },
  { from: /^server\//, never: /^web\/|\.tsx$/, because: 'the server never imports the interface' },
  {
    from: /^tools\/[^/]+\/(contract|run)\.ts$/,
    never: /^(server|web)\//,
    because: 'a tool receives what it needs',
  },
  {
    from: /^(tools|viewers)\/.*\.tsx$/,
    never: /^server\/|^web\/(?!platform\/)/,
    because: "a card or viewer imports the web's platform only",
  },
  {
    from: /^(embed-script|extension|service-worker)\//,
    never: /./,
    because: 'scripts for other pages and browsers stand alone',
  },
  { from: /^parsers\//, never: /^(server|web)\//, because: 'a parser runs alone in a child process' },
  {
    from: /^server\/platform\/access\//,
    never: /^server\/(?!platform\/(access|db)\/)/,
    because: 'access is decided on rows alone',
  },
]

describe('architecture', () => {
  it('finds the source files', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(imports.length).toBeGreaterThan(sources.length)
    expect(
      imports.some(
        ({ from, to }) => from === 'server/platform/http/serve.ts' && to === 'shared/platform/errors.ts',
      ),
    ).toBe(true)
  })

  it.each(arrows)('$because', ({ from, never }) => {
    expect(show(imports.filter((edge) => from.test(edge.from) && never.test(edge.to)))).toEqual([])
  })

  it.each(['shared', 'server', 'web'])('recognises every folder of %s as a domain', (runtime) => {
    const entries = readdirSync(join(root, runtime)).filter((name) => !/\.test\.tsx?$/.test(name))
    const isKnown = (name: string) => domains.includes(name) || compositions[runtime]?.test(name)
    expect(entries.filter((name) => !isKnown(name))).toEqual([])
  })

  it('imports no higher domain', () => {
    expect(show(imports.filter(pointsUp))).toEqual([])
  })

  it('detects an import of a higher domain', () => {
    const edge = (from: string, to: string) => pointsUp({ from, to, isType: true })
    expect(edge('server/money/billing/billing.ts', 'server/chat/sessions/sessions.ts')).toBe(true)
    expect(edge('server/chat/sessions/sessions.ts', 'server/money/billing/billing.ts')).toBe(false)
    expect(edge('server/platform/log.ts', 'server/app.ts')).toBe(true)
  })

  it('enters a feature by the file named like its folder', () => {
    expect(show(imports.filter(bypassesEntry))).toEqual([])
  })

  it('allows imports of a feature’s subfolders only within that feature', () => {
    const to = 'web/tools/tools/look/use-tools.ts'
    const isClosed = (from: string) => bypassesEntry({ from, to, isType: false })
    expect(['web/tools/tools/tools-view.tsx', 'web/tools/tools/card/tool-card.tsx'].filter(isClosed)).toEqual(
      [],
    )
    const outside = ['web/lifecycle/shell/shell.tsx', 'web/routes.tsx', 'web/chat/inbox/inbox.ts']
    expect(outside.filter(isClosed)).toHaveLength(3)
  })

  it('has no cycle between folders, types included', () => {
    expect(findCycle(folderGraph())).toBeNull()
  })

  it('has no cycle between files, types included', () => {
    expect(findCycle(fileGraph())).toBeNull()
  })

  it('has at most 30 entries in a folder, folders counted', () => {
    const sizes = ['.', ...globSync('**/*/', { cwd: root })].map(
      (folder) => [folder, readdirSync(join(root, folder)).length] as const,
    )
    expect(sizes.length).toBeGreaterThan(100)
    expect(sizes.filter(([, size]) => size > 30)).toEqual([])
  })

  it('has unique file names within a domain, except for stores', () => {
    const inDomains = sources.filter((file) => domainOf(file) && posix.basename(file) !== 'store.ts')
    const named = Map.groupBy(
      inDomains,
      (file) => `${file.split('/').slice(0, 2).join('/')} ${posix.basename(file)}`,
    )
    expect([...named.values()].filter(({ length }) => length > 1)).toEqual([])
  })

  it('queries the database only in stores', () => {
    const isStore = (file: string) =>
      /(^|[/-])store\.ts$/.test(file) || /^server\/(platform\/(db|access)|lifecycle\/backup)\//.test(file)
    const asks = sources.filter((file) => holdsSql.test(read(file)))
    expect(asks.length).toBeGreaterThan(30)
    expect(asks.filter((file) => !isStore(file))).toEqual([])
  })

  it('has no file over 400 lines', () => {
    expect(files.filter((file) => read(file).split('\n').length > 401)).toEqual([])
  })

  it('has no catch-all folders or files', () => {
    const cupboard =
      /(^|\/)(index|utils?|helpers?|common|misc|types|interfaces|services?|managers?)(\.tsx?$|\/)/
    expect(files.filter((file) => cupboard.test(file))).toEqual([])
  })

  it('knows each kind of provider in its folder only', () => {
    const kinds = readdirSync(join(root, providers), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )
    const names = kinds.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(5)
    expect(
      names.map((name) => `${providers}${name}/${name}-provider.ts`).filter((file) => !files.includes(file)),
    ).toEqual([])
    const named = new RegExp(
      `\\bkind\\b[^\\n]{0,60}['"](?:${names.join('|')})['"]|['"](?:${names.join('|')})['"][^\\n]{0,20}\\bkind\\b`,
    )
    const others = sources.filter((file) => /\/models\//.test(file) && !file.startsWith(providers))
    expect(others.filter((file) => named.test(read(file)))).toEqual([])
  })

  it('loads no file of a provider from the loader of providers that waits for it', () => {
    const loader = 'server/models/models/provider/providers.ts'
    const reached = new Set(sources.filter((file) => file.startsWith(providers)))
    for (const file of reached)
      for (const { from, to, isType } of imports) if (from === file && !isType) reached.add(to)
    expect(reached.size).toBeGreaterThan(30)
    expect(reached.has(loader)).toBe(false)
  })

  it('has complete folders of sources, whose names occur nowhere else in the product', () => {
    const names = globSync(`${connectorSources}*/`, { cwd: root }).map((path) => basename(path))
    const missing = names.flatMap((name) =>
      [`${name}-source.ts`, `${name}-icon.ts`, 'texts/en/connectors.json', 'texts/fr/connectors.json']
        .map((file) => `${connectorSources}${name}/${file}`)
        .concat(
          globSync(`${connectorSources}${name}/*.test.ts`, { cwd: root }).length > 0 ? [] : `${name}: a test`,
        )
        .filter((file) => !existsSync(join(root, file))),
    )
    expect(names.length).toBeGreaterThan(10)
    expect(missing).toEqual([])
    const named = new RegExp(`connectors/sources/(?:${names.join('|')})/`)
    const others = sources.filter((file) => !file.startsWith(connectorSources) && !/\.test\.tsx?$/.test(file))
    expect(others.filter((file) => named.test(read(file)))).toEqual([])
    const settings = globSync(`${connectorSources}*/*-settings.ts`, { cwd: root }).flatMap((file) =>
      Array.from(read(file).matchAll(/^ {4}([A-Z][A-Z0-9_]+):/gm), ([, name = '']) => name),
    )
    expect(settings.length).toBeGreaterThan(5)
    expect(others.filter((file) => settings.some((name) => read(file).includes(name)))).toEqual([])
  })

  it('has complete tool folders', () => {
    const tools = globSync('tools/*/', { cwd: root }).map((path) => path.replace(/\/$/, ''))
    const missing = tools.flatMap((tool) =>
      ['contract.ts', 'run.ts', 'run.test.ts']
        .map((name) => `${tool}/${name}`)
        .filter((file) => !files.includes(file)),
    )
    expect(tools.length).toBeGreaterThan(0)
    expect(missing).toEqual([])
  })
})

function importsOf(from: string): Import[] {
  const found = read(from).matchAll(
    /^\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'|import\(\s*'([^']+)'|^import\s+'([^']+)'/gm,
  )
  return [...found].map((match) => {
    const to = match[2] ?? match[3] ?? match[4] ?? ''
    return { from, to: resolveTarget(from, to), isType: match[1] !== undefined }
  })
}

function resolveTarget(from: string, to: string): string {
  if (to.startsWith('#shared/')) return to.slice(1)
  return to.startsWith('.') ? posix.join(posix.dirname(from), to) : to
}

/** Returns the index of a file's domain; composing files come last. Null outside of the domains. */
function rankOf(file: string): number | null {
  const [runtime = '', domain = '', inside] = file.split('/')
  if (!(runtime in compositions)) return null
  return inside === undefined ? domains.length : domains.indexOf(domain)
}

function pointsUp({ from, to }: Import): boolean {
  const [a, b] = [rankOf(from), rankOf(to)]
  return a !== null && b !== null && from.split('/')[0] === to.split('/')[0] && b > a
}

function domainOf(file: string): string | null {
  const rank = rankOf(file)
  return rank === null ? null : (domains[rank] ?? null)
}

function bypassesEntry({ from, to }: Import): boolean {
  const [runtime, domain, folder, file, ...deeper] = to.split('/')
  if (!(runtime === 'server' || runtime === 'web') || file === undefined) return false
  if (from.startsWith(`${runtime}/${domain}/${folder}/`) || isOpen(to)) return false
  return (deeper.length > 0 || !file.startsWith(`${folder}.`)) && !isLazyView(from, to)
}

/** Returns true for the platform and the model port, whose files can be imported directly. */
function isOpen(to: string): boolean {
  return /^(server|web)\/platform\/|^server\/models\/models\//.test(to)
}

/** Returns true for a view that the router, the shell or the models area composes; it is a second entry of its folder. */
function isLazyView(from: string, to: string): boolean {
  return (
    /^web\/(app-views|routes|views|lifecycle\/(shell|models-area)\/|main)/.test(from) &&
    to.split('/').length === 4
  )
}

function folderGraph(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [a, b] = [folderOf(from), folderOf(to)]
    if (a !== b) graph.set(a, (graph.get(a) ?? new Set()).add(b))
  }
  return graph
}

function fileGraph(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const { from, to } of imports) graph.set(from, (graph.get(from) ?? new Set()).add(to))
  return graph
}

/** Returns the feature of a file; a file next to features counts as its own feature. */
function folderOf(file: string): string {
  const parts = file.split('/')
  const depth = (parts[0] ?? '') in compositions ? 3 : 2
  return parts.length > depth ? parts.slice(0, depth).join('/') : file
}

function findCycle(graph: Map<string, Set<string>>): string[] | null {
  const done = new Set<string>()
  const visit = (node: string, path: string[]): string[] | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return null
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node])
      if (cycle) return cycle
    }
    done.add(node)
    return null
  }
  for (const node of graph.keys()) {
    const cycle = visit(node, [])
    if (cycle) return cycle
  }
  return null
}

function show(edges: Import[]): string[] {
  return edges.map(({ from, to }) => `${from} -> ${to}`)
}
