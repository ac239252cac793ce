import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

type Step = [name: string, command: string, args: string[]]

/**
 * `npm test`: system packages where they can be installed, the checks beside the build, every test.
 * A few files that failed beside others are run once more, alone, and named when that succeeds. Ends with one
 * line `N passed, N failed` and exits with 1 when anything failed.
 */
const packages: Step = ['system packages', 'bash', ['scripts/system-packages.sh']]
/** Each has one core of its own for most of its time. */
const sideBySide: Step[] = [
  ['lint, types, unused code', 'npm', ['run', '--silent', 'check']],
  ['build', 'npm', ['run', '--silent', 'build']],
]
/** More failures than this are no matter of a busy machine. */
const mostToRepeat = 8

type Report = {
  numPassedTests: number
  numFailedTests: number
  success: boolean
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
}
/** What a run of tests came to, and the files in which something failed. */
type Outcome = { passed: number; failed: number; failedFiles: string[]; passedInThem: number }

let failed = 0
for (const group of [[packages], sideBySide]) {
  const ended = await Promise.all(group.map(runStep))
  failed += ended.filter((isRight) => !isRight).length
}

console.log('\n— tests')
const first = runTests(process.argv.slice(2))
let { passed } = first
if (first.failedFiles.length > 0 && first.failedFiles.length <= mostToRepeat) {
  console.log(`\n— once more, alone: ${first.failedFiles.join(', ')}`)
  const again = runTests([...first.failedFiles, '--max-workers=1'])
  for (const file of first.failedFiles) {
    if (!again.failedFiles.includes(file))
      console.warn(`unsteady: ${file} failed beside others and passed alone`)
  }
  passed += again.passed - first.passedInThem
  failed += again.failed
} else {
  failed += first.failed
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

/** Tells what it printed once it has ended; answers whether that was well. */
function runStep([name, command, args]: Step): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      console.log(`\n— ${name}\n${stdout}${stderr}`.trimEnd())
      if (error) console.error(`${name}: failed`)
      resolve(!error)
    })
  })
}

function run(command: string, args: string[]): number {
  return spawnSync(command, args, { stdio: 'inherit' }).status ?? 1
}

/** A run that fails without a failed test, as by an error outside all of them, counts as one failure. */
function runTests(args: string[]): Outcome {
  const file = join(tmpdir(), `atrium-tests-${process.pid}.json`)
  const status = run('vitest', [
    ...['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    ...args,
  ])
  try {
    const { numPassedTests, numFailedTests, success, testResults } = JSON.parse(
      readFileSync(file, 'utf8'),
    ) as Report
    rmSync(file)
    const inFailed = testResults.filter((result) => result.status === 'failed')
    return {
      passed: numPassedTests,
      failed: success && status === 0 ? 0 : Math.max(numFailedTests, 1),
      failedFiles: [...new Set(inFailed.map(({ name }) => relative(process.cwd(), name)))],
      passedInThem: inFailed
        .flatMap((result) => result.assertionResults)
        .filter((test) => test.status === 'passed').length,
    }
  } catch {
    return { passed: 0, failed: 1, failedFiles: [], passedInThem: 0 }
  }
}
