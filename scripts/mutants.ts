import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { argv, env, exit } from 'node:process'

type Place = { line: number; column: number }
type Mutant = { status: string; replacement?: string; location: { start: Place; end: Place } }
type Report = { files: Record<string, { source: string; mutants: Mutant[] }> }

/**
 * Changes the sources of a folder, or one file, in many small ways, one at a time, and lists the changes that no test
 * notices: `npm run mutants -- src/shared/runs`. Only the tests of the project they belong to are run. What a text says
 * is left as it is: no test should hold every word.
 */
const place = argv[2]?.replace(/\/$/, '')
if (!place) {
  console.error('Name a folder or a file: npm run mutants -- src/shared/runs')
  exit(1)
}
const sources = /\.tsx?$/.test(place) ? place : `${place}/**/*.ts?(x)`
const project = /^src\/web/.test(place) ? 'web' : /^src\/shared/.test(place) ? 'unit' : 'server'
const { status } = spawnSync('npx', ['stryker', 'run', '--mutate', `${sources},!**/*.test.*`], {
  stdio: 'inherit',
  env: { ...env, MUTANTS_PROJECT: project },
})
if (status !== 0) exit(status ?? 1)

const { files } = JSON.parse(readFileSync('dist/mutants.json', 'utf8')) as Report
let noticed = 0
let unnoticed = 0
for (const [file, { source, mutants }] of Object.entries(files)) {
  for (const mutant of mutants) {
    if (['Killed', 'Timeout'].includes(mutant.status)) noticed += 1
    if (!['Survived', 'NoCoverage'].includes(mutant.status)) continue
    unnoticed += 1
    console.log(`${file}:${describeMutant(mutant, source)}`)
  }
}
const percent = ((100 * noticed) / (noticed + unnoticed)).toFixed(1)
console.log(`${place}: ${percent} % of ${noticed + unnoticed} changes are noticed`)

/** One line: what stood there, and what stood there instead. Lines and columns count from 1. */
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
