import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { env, exit } from 'node:process'
import { parseArgs } from 'node:util'
import { wilson } from './mutants/interval.ts'

type Place = { line: number; column: number }
type Mutant = { status: string; replacement?: string; location: { start: Place; end: Place } }
type Report = { files: Record<string, { source: string; mutants: Mutant[] }> }

/**
 * Changes the sources of a folder, or one file, in many small ways, one at a time, and lists the changes that no test
 * notices: `npm run mutants -- src/shared/runs/runs`. Texts are not changed: no test should pin every word.
 * `--sample 150 --seed 1` tries a random sample; `--tests GLOB[,GLOB]` chooses the tests. The default is those next to the sources for the
 * server, and those of the project that import them for the rest.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string' },
  },
})
const place = positionals[0]?.replace(/\/$/, '')
if (!place) {
  console.error('Name a folder or a file: npm run mutants -- src/shared/runs/runs')
  exit(1)
}
const isFile = /\.tsx?$/.test(place)
const project = /^src\/web/.test(place) ? 'web' : /^src\/shared/.test(place) ? 'unit' : 'server'
const beside = project === 'server' ? `${isFile ? dirname(place) : place}/**/*.test.ts` : ''
const sources = isFile ? place : `${place}/**/*.ts?(x)`
const checkers = values.sample ? ['--checkers', 'drawn'] : []
const { status } = spawnSync('npx', ['stryker', 'run', '--mutate', `${sources},!**/*.test.*`, ...checkers], {
  stdio: 'inherit',
  env: {
    ...env,
    MUTANTS_PROJECT: project,
    MUTANTS_TESTS: values.tests ?? beside,
    MUTANTS_SAMPLE: values.sample ?? '',
    MUTANTS_SEED: values.seed,
  },
})
if (status !== 0) exit(status ?? 1)

const { files } = JSON.parse(readFileSync('dist/mutants.json', 'utf8')) as Report
/** A change after which a test file cannot even be read or ends with an error of its own is noticed like any other. */
const noticing = ['Killed', 'Timeout', 'RuntimeError']
let noticed = 0
let unnoticed = 0
for (const [file, { source, mutants }] of Object.entries(files)) {
  for (const mutant of mutants) {
    if (noticing.includes(mutant.status)) noticed += 1
    if (!['Survived', 'NoCoverage'].includes(mutant.status)) continue
    unnoticed += 1
    console.log(`${file}:${describeMutant(mutant, source)}`)
  }
}
const tried = noticed + unnoticed
const percent = (share: number) => (100 * share).toFixed(1)
console.log(`${place}: ${percent(noticed / tried)} % noticed, ${noticed} of ${tried} changes${ofAll()}`)

/** How the sample was drawn, and what it says of all changes. */
function ofAll(): string {
  if (!values.sample) return ''
  const all = Object.values(files).flatMap(({ mutants }) =>
    mutants.filter(({ status }) => status !== 'Ignored'),
  )
  const [least, most] = wilson(noticed, tried).map(percent)
  return ` drawn from ${all.length} with seed ${values.seed}; of all, 95 % sure: ${least} to ${most} %`
}

/** Returns one line with the original and the replacement. Lines and columns count from 1. */
function describeMutant(
  { location: { start, end }, replacement = '', status }: Mutant,
  source: string,
): string {
  const line = source.split('\n')[start.line - 1] ?? ''
  const was = start.line === end.line ? line.slice(start.column - 1, end.column - 1) : line.trim()
  const mark = status === 'NoCoverage' ? ' (no test comes here)' : ''
  return `${start.line}  ${short(was)}  →  ${short(replacement)}${mark}`
}

function short(code: string): string {
  return code.replace(/\s+/g, ' ').slice(0, 70)
}
