import { readdirSync } from 'node:fs'
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { printTargets } from './measure/targets.ts'

/**
 * `npm run bench -- <name> [args]`: runs `bench/<name>.ts` and prints the result of its `run(args)` as JSON on
 * standard output, with facts about the machine. Progress goes to standard error.
 */
type Bench = { run: (args: string[]) => Promise<object> }

const self = basename(import.meta.filename)
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== self)
  .map((file) => basename(file, '.ts'))
  .sort()

const [name = '', ...args] = process.argv.slice(2)
if (!names.includes(name)) {
  if (name) console.error(`There is no benchmark "${name}".`)
  console.error(`Benchmarks: ${names.join(', ')}\nRun one with: npm run bench -- <name> [args]`)
  process.exit(1)
}

const { run } = (await import(pathToFileURL(join(import.meta.dirname, `${name}.ts`)).href)) as Bench
const result = await run(args)
console.log(JSON.stringify({ bench: name, machine: describeMachine(), ...result }, null, 2))
if (printTargets(result)) process.exitCode = 2

function describeMachine() {
  return {
    node: process.version,
    platform: `${platform()}-${arch()}`,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    memory_gb: Math.round(totalmem() / 2 ** 30),
    at: new Date().toISOString(),
  }
}
