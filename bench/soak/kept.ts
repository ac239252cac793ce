import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { memoryMb, processTree } from '../measure/processes.ts'
import { round } from '../measure/statistics.ts'

type Disk = { files: number; mb: number }

/** Storage of an installation: rows by table, files of people, the vector store, and temporary folders. */
export type Kept = {
  rows: Record<string, number>
  files: Disk & { kinds: Record<string, number> }
  vectors: Disk & { versions: number }
  temporary: { work: number; drafts: number; tmp: number }
}

/** Opens the embedded database of a running product. */
export function openBeside(dataDir: string) {
  // PostgreSQL writes its socket folder into this file.
  const lines = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  const address = { host: lines[4] ?? '', port: 5432, user: 'postgres', database: 'postgres' }
  return connect(address, createLog('silent'), { max: 1 })
}

type Beside = ReturnType<typeof openBeside>

/** Counts all of it. `tmp`: the product's entries in the system's temporary folder. */
export async function countKept({ pool }: Pick<Beside, 'pool'>, dataDir: string): Promise<Kept> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
     where nspname in ('public', 'graphile_worker') and relkind = 'r' order by 1`,
  )
  const rows: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows: counted } = await pool.query<{ count: number }>(
      `select count(*)::int as count from ${name}`,
    )
    rows[name.replace(/^public\./, '')] = counted[0]?.count ?? 0
  }
  const files = filesIn(join(dataDir, 'files')).filter((path) => !path.includes('/.drafts/'))
  const vectors = filesIn(join(dataDir, 'vectors'))
  return {
    rows,
    files: { ...measure(files), kinds: kindsOfFiles(files, join(dataDir, 'files')) },
    vectors: { ...measure(vectors), versions: vectors.filter((path) => path.endsWith('.manifest')).length },
    temporary: {
      work: entries(join(dataDir, 'work')).length,
      drafts: entries(join(dataDir, 'files', '.drafts')).length,
      tmp: entries(tmpdir()).filter((name) => /^(atrium-mcp|OSL_PIPE|lu\d|playwright)/.test(name)).length,
    },
  }
}

/** Counts memory and file handles of the product's processes. */
export function countProcesses(root: number) {
  const tree = processTree(root)
  const own = tree.filter(({ name }) => name !== 'postgres')
  return {
    processes: own.length,
    memory_mb: round(memoryMb(own.map(({ pid }) => pid))),
    database_mb: round(memoryMb(tree.filter(({ name }) => name === 'postgres').map(({ pid }) => pid))),
    main_mb: round(memoryMb([root])),
    fds: entries(`/proc/${root}/fd`).length,
    fd_kinds: kindsOf(entries(`/proc/${root}/fd`).map((fd) => targetOf(`/proc/${root}/fd/${fd}`))),
  }
}

/** Counts the files below each folder of the store, by name. */
function kindsOfFiles(paths: string[], root: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const path of paths) {
    const [kind = '', ...rest] = path.slice(root.length + 1).split('/')
    const name = kind === 'readings' ? `${kind}/${rest.at(-1)}` : kind
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** Counts open files by kind: sockets, pipes, and files by folder. */
function kindsOf(targets: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const target of targets) {
    const kind = target.startsWith('/')
      ? target
          .split('/')
          .slice(-4, -1)
          .join('/')
          .replace(/[0-9a-f-]{36}/g, '*')
      : target.replace(/:?\[.*/, '')
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
  } catch {
    return []
  }
}

function measure(paths: string[]): Disk {
  const bytes = paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
  return { files: paths.length, mb: round(bytes / 2 ** 20, 2) }
}
