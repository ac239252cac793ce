import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `npm test`: system packages where they can be installed, the checks, the build, every test.
 * Ends with one line `N passed, N failed` and exits with 1 when anything failed.
 */
type Report = { numPassedTests: number; numFailedTests: number; numTotalTests: number; success: boolean }

const report = join(tmpdir(), `atrium-tests-${process.pid}.json`)
const steps: [name: string, command: string, args: string[]][] = [
  ['system packages', 'bash', ['scripts/system-packages.sh']],
  ['lint, types, unused code', 'npm', ['run', '--silent', 'check']],
  ['build', 'npm', ['run', '--silent', 'build']],
]

let failedSteps = 0
for (const [name, command, args] of steps) {
  console.log(`\n— ${name}`)
  if (run(command, args) !== 0) {
    failedSteps += 1
    console.error(`${name}: failed`)
  }
}

console.log('\n— tests')
const vitest = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const status = run('vitest', [...vitest, ...process.argv.slice(2)])
const { passed, failed } = count()
console.log(`\n${passed} passed, ${failed + failedSteps} failed`)
process.exit(status === 0 && failed + failedSteps === 0 && passed > 0 ? 0 : 1)

function run(command: string, args: string[]): number {
  return spawnSync(command, args, { stdio: 'inherit' }).status ?? 1
}

function count(): { passed: number; failed: number } {
  try {
    const { numPassedTests, numFailedTests, success } = JSON.parse(readFileSync(report, 'utf8')) as Report
    rmSync(report)
    return { passed: numPassedTests, failed: success ? numFailedTests : Math.max(numFailedTests, 1) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}
