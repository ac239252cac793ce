import { type Outcome, runTests } from './testing/run-tests.ts'
import { runSteps, type Step } from './testing/steps.ts'

/**
 * `npm test`: installs system packages where possible, runs the checks during the build, then unit, web and server tests and a smoke set of
 * browser journeys and kills. `npm run test:full` runs every test; with `--rest` only those that `npm test` leaves out.
 * `--retry-report` repeats failed files, alone, and says which pass then; the run fails all the same. `--allow-unsteady=N` accepts up to N
 * files that fail in the run and pass alone, and names them.
 * Other arguments go to Vitest. Ends with one line `N passed, N failed`, and exits with 1 when anything failed.
 */
const FAST = ['unit', 'web', 'web-afresh', 'server', 'smoke']
const REST = ['e2e', 'faults', 'faults-alone']

const packages: Step = { name: 'packages', command: 'bash', args: ['scripts/system-packages.sh'] }
/** Each keeps about one core busy. */
const checks: Step[] = [
  { name: 'check', command: 'npm', args: ['run', '--silent', 'check'] },
  { name: 'build', command: 'npm', args: ['run', '--silent', 'build'] },
]

const own = /^--(?:full|rest|retry-report|allow-unsteady=\d+)$/
const given = process.argv.slice(2)
const has = (flag: string) => given.includes(flag)
const forVitest = given.filter((argument) => !own.test(argument))
const allowed = Number(given.find((one) => one.startsWith('--allow-unsteady='))?.split('=')[1] ?? 0)
const projects = has('--full') ? (has('--rest') ? REST : [...FAST, ...REST]) : FAST

// The second half of a CI run finds everything checked and built.
const failedSteps = has('--rest')
  ? await runSteps([checks[1] as Step])
  : [...(await runSteps([packages])), ...(await runSteps(checks))]
const first = runTests(projects, forVitest)
const isRepeated = has('--retry-report') || (allowed > 0 && first.failedFiles.length <= allowed)
const last = isRepeated ? repeatFailed(first) : first
const failed = failedSteps.length + (allowed > 0 ? last : first).failed
// Their own lines are far above by now.
for (const name of failedSteps) console.log(`failed step: ${name}`)
console.log(`\n${last.passed} passed, ${failed} failed`)
process.exit(failed === 0 && last.passed > 0 ? 0 : 1)

/** Runs the failed files again, one at a time, and names those that pass. Returns the counts of the run with those of the repeat. */
function repeatFailed(run: Outcome): Outcome {
  if (run.failedFiles.length === 0) return run
  console.log(`\n— again, alone: ${run.failedFiles.join(', ')}`)
  const again = runTests(projects, [...run.failedFiles, '--max-workers=1'])
  for (const file of run.failedFiles)
    if (!again.failedFiles.includes(file)) console.log(`unsteady: ${file} failed in the run and passed alone`)
  return { ...again, passed: run.passed - run.passedInFailed + again.passed }
}
