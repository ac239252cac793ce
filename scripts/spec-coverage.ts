import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { argv, exit } from 'node:process'

/**
 * Writes docs/spec-coverage.md from the names of the tests: a requirement is done when a test
 * starts with its ID. `--check` only says whether the page is up to date.
 */
type Row = { id: string; area: string }

const page = 'docs/spec-coverage.md'
const rows: Row[] = readFileSync('docs/requirements.txt', 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((id) => ({ id, area: id.split('-')[0] ?? '' }))
const proofs = findProofs()
const text = render()

if (argv.includes('--check')) {
  const isCurrent = readFileSync(page, 'utf8') === text
  if (!isCurrent) console.error(`${page} is out of date: run npm run spec-coverage`)
  exit(isCurrent ? 0 : 1)
}
writeFileSync(page, text)
console.log(`${proofs.size} of ${rows.length} requirements are named by a test`)

/** Requirement ID → the test files that name it. */
function findProofs(): Map<string, Set<string>> {
  const known = new Set(rows.map((row) => row.id))
  const found = new Map<string, Set<string>>()
  for (const file of globSync('{src,tests,scripts,bench}/**/*.test.{ts,tsx}').sort()) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      // The second form ends a table of cases: `])('…'`.
      /(?:\b(?:it|test)(?:\.\w+)*(?:\([^()]*\))?|^ *\](?: as const)?\))\(\s*['"`]([^'"`]*)/gm,
    )) {
      for (const id of idsIn(name)) if (known.has(id)) found.set(id, (found.get(id) ?? new Set()).add(file))
    }
  }
  return found
}

/** `AU-08 AU-11 …` and `BL-08..BL-11` at any place of a test's name. */
function idsIn(name: string): string[] {
  const ranges = [...name.matchAll(/\b([A-Z][A-Z0-9]{1,2})-(\d{2})(?:\.\.(?:\1-)?(\d{2}))?/g)]
  return ranges.flatMap(([, area, from = '', to]) => {
    const last = Number(to ?? from)
    return Array.from(
      { length: last - Number(from) + 1 },
      (_, i) => `${area}-${String(Number(from) + i).padStart(2, '0')}`,
    )
  })
}

function render(): string {
  const areas = [...new Set(rows.map((row) => row.area))]
  const done = rows.filter((row) => proofs.has(row.id)).length
  const lines = areas.map((area) => {
    const all = rows.filter((row) => row.area === area)
    const proved = all.filter((row) => proofs.has(row.id))
    const missing = all.filter((row) => !proofs.has(row.id)).map((row) => row.id)
    return `| ${area} | ${proved.length} / ${all.length} | ${missing.join(', ') || '—'} |`
  })
  const details = rows
    .filter((row) => proofs.has(row.id))
    .map(
      (row) => `| ${row.id} | ${[...(proofs.get(row.id) ?? [])].map((file) => `\`${file}\``).join(', ')} |`,
    )
  return [
    '# Requirements and the tests that prove them',
    '',
    'Made by `npm run spec-coverage` from the names of the tests. A requirement counts as done when a test names it.',
    '',
    `${done} of ${rows.length} are done.`,
    '',
    '| area | done | missing |',
    '|---|---|---|',
    ...lines,
    '',
    '## Proofs',
    '',
    '| requirement | tests |',
    '|---|---|',
    ...details,
    '',
  ].join('\n')
}
