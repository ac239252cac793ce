import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** The sentence of a requirement; `file` is in docs/requirements. */
export type Sentence = { file: string; text: string }
/** All requirement IDs, their sentences, and the test files that name them. */
export type Coverage = {
  ids: string[]
  /** IDs of docs/requirements/choices.md. Tests name them, but they are not counted. */
  choices: string[]
  sentences: Map<string, Sentence[]>
  proofs: Map<string, Set<string>>
}

/** Reads the requirements in docs/requirements and the names of all tests below `root`. */
export function readCoverage(root: string): Coverage {
  const pages = globSync('docs/requirements/*.md', { cwd: root }).sort()
  const tests = globSync('{src,tests,scripts,bench}/**/*.test.{ts,tsx}', { cwd: root }).sort()
  const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8')
  const ids = read('docs/requirements/ids.txt').split('\n').filter(Boolean)
  const sentences = new Map<string, Sentence[]>()
  for (const page of pages) {
    for (const [id, text] of sentencesIn(read(page))) {
      sentences.set(id, [...(sentences.get(id) ?? []), { file: basename(page), text }])
    }
  }
  const choices = sentencesIn(read('docs/requirements/choices.md')).map(([id]) => id)
  const areas = new Set([...ids, ...choices].map(areaOf))
  const proofs = new Map<string, Set<string>>()
  for (const file of tests) {
    for (const id of namedIn(read(file))) {
      if (areas.has(areaOf(id))) proofs.set(id, (proofs.get(id) ?? new Set()).add(file))
    }
  }
  return { ids, choices, sentences, proofs }
}

/** Returns descriptions of mismatches between sentences and tests; empty when there are none. */
export function findGaps({ ids, choices, sentences, proofs }: Coverage): string[] {
  const known = [...ids, ...choices]
  const unknown = [...sentences.keys()].filter((id) => !known.includes(id))
  const invented = [...proofs].filter(([id]) => !known.includes(id))
  const twice = [...sentences].filter(([, found]) => found.length > 1)
  return [
    ...unknown.map((id) => `${id} has a sentence and is not in ids.txt`),
    ...invented.map(([id, files]) => `${id} is named in ${[...files].join(', ')} and is no requirement`),
    ...twice.map(([id, found]) => `${id} has ${found.length} sentences`),
    ...[...sentences].filter(([, [first]]) => !first?.text).map(([id]) => `${id} says nothing`),
    ...known
      .filter((id) => proofs.has(id) && !sentences.has(id))
      .map((id) => `${id} is named by a test and has no sentence`),
    ...known
      .filter((id) => sentences.has(id) && !proofs.has(id))
      .map((id) => `${id} has a sentence and no test names it`),
  ]
}

/** Returns the content of docs/spec-coverage.md. */
export function renderCoverage({ ids, choices, sentences, proofs }: Coverage): string {
  const areas = [...new Set(ids.map(areaOf))]
  const done = ids.filter((id) => proofs.has(id))
  const lines = areas.map((area) => {
    const all = ids.filter((id) => areaOf(id) === area)
    const missing = all.filter((id) => !proofs.has(id))
    return `| ${area} | ${all.length - missing.length} / ${all.length} | ${missing.join(', ') || '—'} |`
  })
  const link = (id: string) => {
    const file = sentences.get(id)?.[0]?.file
    return file ? `[${id}](requirements/${file}#${id.toLowerCase()})` : id
  }
  const tests = (id: string) => [...(proofs.get(id) ?? [])].map((file) => `\`${file}\``).join(', ')
  return [
    '# Requirements and the tests that prove them',
    '',
    '`npm run spec-coverage` writes this page from [the requirements](requirements/README.md) and the names of the tests.',
    'A requirement counts as done when a test names it; its ID leads to what it says.',
    '',
    `${done.length} of ${ids.length} are done.`,
    '',
    '| area | done | missing |',
    '|---|---|---|',
    ...lines,
    '',
    '## Proofs',
    '',
    '| requirement | tests |',
    '|---|---|',
    ...[...done, ...choices].map((id) => `| ${link(id)} | ${tests(id)} |`),
    '',
  ].join('\n')
}

/** Returns the IDs in the test names of a file, with ranges expanded. */
export function namedIn(source: string): string[] {
  // The second form ends a table of cases: `])('…'`.
  const names = source.matchAll(
    /(?:\b(?:it|test)(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?|^ *\](?: as const)?\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gms,
  )
  return [...names].flatMap(([, , name = '']) => idsIn(name))
}

/** Matches `AU-08`, `BL-08..BL-11` and `BL-08..11` in a test name. */
function idsIn(name: string): string[] {
  const ranges = [...name.matchAll(/\b([A-Z][A-Z0-9]{0,2})-(\d{2})(?:\.\.(?:\1-)?(\d{2}))?/g)]
  return ranges.flatMap(([, area, from = '', to]) => {
    const last = Number(to ?? from)
    return Array.from(
      { length: last - Number(from) + 1 },
      (_, i) => `${area}-${String(Number(from) + i).padStart(2, '0')}`,
    )
  })
}

/** Parses a requirements page: a heading per ID, followed by its sentence. */
function sentencesIn(page: string): [id: string, text: string][] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [id = '', ...text] = part.split('\n')
      return [id.trim(), text.join(' ').replace(/\s+/g, ' ').trim()] as [string, string]
    })
    .filter(([id]) => /^[A-Z][A-Z0-9]{0,2}-\d{2}$/.test(id))
}

function areaOf(id: string): string {
  return id.split('-')[0] ?? ''
}
