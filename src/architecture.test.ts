import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'

type Import = { from: string; to: string; isType: boolean }

const root = new URL('.', import.meta.url).pathname
const files = globSync('**/*.{ts,tsx}', { cwd: root }).sort()
const sources = files.filter((file) => !/\.test\.tsx?$/.test(file))
const read = (file: string) => readFileSync(root + file, 'utf8')
const imports = sources.flatMap(importsOf)

const holdsSql =
  /\b(selectFrom|updateTable|insertInto|deleteFrom|mergeInto)\(|\bsql(<[^`]*>)?`|CompiledQuery\.raw/
const serverPlatform =
  /^server\/(db|http|jobs|bus|files|models|mail|parsing|sandbox|outbound|mcp|telemetry|vectors)\//
const webPlatform = /^web\/(ui|lib|i18n|markdown|citations)\//

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
    because: 'a tool is handed what it needs',
  },
  {
    from: /^(tools|viewers)\/.*\.tsx$/,
    never: /^server\/|^web\/(?!(ui|lib|citations)\/)/,
    because: 'a card may draw with ui, lib and citations only',
  },
  {
    from: /^(embed-script|extension)\//,
    never: /./,
    because: 'what runs in pages and browsers of others stands alone',
  },
  { from: /^parsers\//, never: /^(server|web)\//, because: 'a parser runs alone in a child process' },
  {
    from: serverPlatform,
    never:
      /^server\/(?!(access|db|http|jobs|bus|files|models|mail|parsing|sandbox|outbound|mcp|telemetry|vectors)\/)[^/]+\//,
    because: 'server platform knows no feature',
  },
  {
    from: /^server\/access\//,
    never: /^server\/(?!(access|db)\/)/,
    because: 'who may do what is decided on rows alone',
  },
  {
    from: webPlatform,
    never: /^web\/(?!(ui|lib|i18n|markdown|citations)\/)[^/]+\//,
    because: 'web platform knows no feature',
  },
]

describe('architecture', () => {
  it('sees the code', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(imports.length).toBeGreaterThan(sources.length)
    expect(imports.some(({ from, to }) => from === 'server/http/serve.ts' && to === 'shared/errors.ts')).toBe(
      true,
    )
  })

  it.each(arrows)('$because', ({ from, never }) => {
    expect(show(imports.filter((edge) => from.test(edge.from) && never.test(edge.to)))).toEqual([])
  })

  it('enters a neighbour by its door', () => {
    expect(show(imports.filter(bypassesDoor))).toEqual([])
  })

  it('enters the folders of a feature from inside that feature', () => {
    const to = 'web/tools/look/use-tools.ts'
    const isClosed = (from: string) => bypassesDoor({ from, to, isType: false })
    expect(['web/tools/tools-view.tsx', 'web/tools/card/tool-card.tsx'].filter(isClosed)).toEqual([])
    expect(['web/shell/shell.tsx', 'web/routes.tsx', 'web/inbox/inbox.ts'].filter(isClosed)).toHaveLength(3)
  })

  it('has no cycle between folders', () => {
    expect(findCycle(folderGraph())).toBeNull()
  })

  it('has no cycle between files, types included', () => {
    expect(findCycle(fileGraph())).toBeNull()
  })

  it('has no folder with more than 30 files', () => {
    const sizes = Map.groupBy(globSync('**/*.*', { cwd: root }), (file) => posix.dirname(file))
    expect([...sizes].filter(([, { length }]) => length > 30).map(([folder]) => folder)).toEqual([])
  })

  it('asks the database in stores only', () => {
    const isStore = (file: string) =>
      /(^|[/-])store\.ts$/.test(file) || /^server\/(db|backup|access)\//.test(file)
    const asks = sources.filter((file) => holdsSql.test(read(file)))
    expect(asks.length).toBeGreaterThan(30)
    expect(asks.filter((file) => !isStore(file))).toEqual([])
  })

  it('has no file over 400 lines', () => {
    expect(files.filter((file) => read(file).split('\n').length > 401)).toEqual([])
  })

  it('has no cupboard', () => {
    const cupboard =
      /(^|\/)(index|utils?|helpers?|common|misc|types|interfaces|services?|managers?)(\.tsx?$|\/)/
    expect(files.filter((file) => cupboard.test(file))).toEqual([])
  })

  it('has whole tool folders', () => {
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

function bypassesDoor({ from, to }: Import): boolean {
  const [runtime, folder, file, ...deeper] = to.split('/')
  if (!(runtime === 'server' || runtime === 'web' || runtime === 'shared') || file === undefined) return false
  if (from.startsWith(`${runtime}/${folder}/`)) return false
  if (runtime === 'shared' || webPlatform.test(to) || serverPlatform.test(to)) return false
  return deeper.length > 0 || !file.startsWith(`${folder}.`) ? !isLazyView(from, to) : false
}

/** The router is where views are loaded; a view is a folder's second door. */
function isLazyView(from: string, to: string): boolean {
  return /^web\/(routes|views|shell\/|main)/.test(from) && to.split('/').length === 3
}

function folderGraph(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const { from, to, isType } of imports) {
    const [a, b] = [folderOf(from), folderOf(to)]
    if (isType || !a || !b || a === b) continue
    graph.set(a, (graph.get(a) ?? new Set()).add(b))
  }
  return graph
}

function fileGraph(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const { from, to } of imports) graph.set(from, (graph.get(from) ?? new Set()).add(to))
  return graph
}

function folderOf(file: string): string | null {
  const parts = file.split('/')
  return parts.length > 2 && /^(server|web)$/.test(parts[0] ?? '') ? `${parts[0]}/${parts[1]}` : null
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
