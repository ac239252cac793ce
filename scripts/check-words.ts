import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findWords, proseOfCode, proseOfDocument, readRules } from './plain-words/find-words.ts'

/** `npm run check` runs this: names every comment, test name and document that uses a word of `plain-words/words.txt`. Exits with 1 when there are any. */
const root = resolve(import.meta.dirname, '..')
const rules = readRules(join(root, 'scripts/plain-words/words.txt'))
const files = globSync(['{src,tests,scripts,bench}/**/*.{ts,tsx}', '*.md', 'docs/**/*.md'], { cwd: root })
let count = 0
for (const file of files.sort()) {
  const text = readFileSync(join(root, file), 'utf8')
  const prose = file.endsWith('.md') ? proseOfDocument(text) : proseOfCode(file, text)
  for (const found of findWords(prose, rules)) {
    count += 1
    console.error(
      `${file}:${found.line} "${found.word}" (write: ${found.instead}): ${found.text.slice(0, 120)}`,
    )
  }
}
if (count > 0) console.error(`${count} texts are not in plain English; see CONTRIBUTING.md`)
process.exit(count > 0 ? 1 : 0)
