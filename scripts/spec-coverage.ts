import { readFileSync, writeFileSync } from 'node:fs'
import { argv, cwd, exit } from 'node:process'
import { findGaps, readCoverage, renderCoverage } from './requirements.ts'

/**
 * Writes docs/spec-coverage.md from docs/requirements and the names of the tests. Fails when a requirement has a sentence
 * without a test, or a test without a sentence. With `--check`, it also fails when the page is outdated.
 */
const page = 'docs/spec-coverage.md'
const coverage = readCoverage(cwd())
const text = renderCoverage(coverage)
const gaps = findGaps(coverage)

if (!argv.includes('--check')) writeFileSync(page, text)
else if (readFileSync(page, 'utf8') !== text) gaps.push(`${page} is out of date: run npm run spec-coverage`)
for (const gap of gaps) console.error(gap)
console.log(
  `${coverage.ids.filter((id) => coverage.proofs.has(id)).length} of ${coverage.ids.length} requirements are named by a test`,
)
exit(gaps.length === 0 ? 0 : 1)
