import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

type Report = {
  numPassedTests: number
  numFailedTests: number
  success: boolean
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
}

/** Counts of tests, the files with a failure, relative to the checkout, and how many tests passed in these files. */
export type Outcome = { passed: number; failed: number; failedFiles: string[]; passedInFailed: number }

/** Runs the tests of these projects. A run that fails without a failed test, as by an error outside all of them, counts as one failure. */
export function runTests(projects: string[], args: string[]): Outcome {
  const file = join(tmpdir(), `atrium-tests-${process.pid}.json`)
  const reporters = ['default', './scripts/testing/progress.ts', 'json']
  const { status } = spawnSync(
    process.execPath,
    [
      ...[
        '--import',
        new URL('own-packages.ts', import.meta.url).href,
        'node_modules/vitest/vitest.mjs',
        'run',
      ],
      ...projects.map((project) => `--project=${project}`),
      ...reporters.map((reporter) => `--reporter=${reporter}`),
      `--outputFile.json=${file}`,
      ...args,
    ],
    { stdio: 'inherit' },
  )
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    rmSync(file)
    const failedFiles = report.testResults.filter((result) => result.status === 'failed')
    return {
      passed: report.numPassedTests,
      failed: report.success && status === 0 ? 0 : Math.max(report.numFailedTests, 1),
      failedFiles: [...new Set(failedFiles.map(({ name }) => relative(process.cwd(), name)))],
      passedInFailed: failedFiles
        .flatMap(({ assertionResults }) => assertionResults)
        .filter(({ status: one }) => one === 'passed').length,
    }
  } catch {
    console.error('Vitest ended without a report.')
    return { passed: 0, failed: 1, failedFiles: [], passedInFailed: 0 }
  }
}
