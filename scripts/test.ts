import { type Outcome, runTests } from './testing/run-tests.ts'
import { runSteps, type Step } from './testing/steps.ts'

/**
 * `npm test`: installs system packages where possible, runs the checks during the build, then unit, web and server tests and a smoke set of
 * browser journeys and kills. `npm run test:full` runs every test; with `--rest` only those that `npm test` leaves out.
 * `--retry-report` runs failed files again, alone, and says which pass then: they depend on timing or order and still fail the run.
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

const own = ['--full', '--rest', '--retry-report']
const given = process.argv.slice(2)
const has = (flag: string) => given.includes(flag)
const forVitest = given.filter((argument) => !own.includes(argument))
const projects = has('--full') ? (has('--rest') ? REST : [...FAST, ...REST]) : FAST

// The second half of a CI run finds everything checked and built.
const failedSteps = has('--rest')
  ? await runSteps([checks[1] as Step])
  : (await runSteps([packages])) + (await runSteps(checks))
const outcome = runTests(projects, forVitest)
if (has('--retry-report')) reportRetry(outcome)
const failed = failedSteps + outcome.failed
console.log(`\n${outcome.passed} passed, ${failed} failed`)
process.exit(failed === 0 && outcome.passed > 0 ? 0 : 1)

function reportRetry({ failedFiles }: Outcome): void {
  if (failedFiles.length === 0) return
  console.log(`\n— again, alone: ${failedFiles.join(', ')}`)
  const again = runTests(projects, [...failedFiles, '--max-workers=1'])
  for (const file of failedFiles)
    if (!again.failedFiles.includes(file)) console.log(`unsteady: ${file} failed in the run and passed alone`)
}
