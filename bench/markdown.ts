import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { scoreExamples } from '../src/shared/platform/markdown/conformance.ts'
import { atLeast } from './measure/targets.ts'

/**
 * Compares the Markdown renderer with specification examples: JSON files of `{markdown, html}` objects, given by path,
 * or folders of such files.
 *
 *   npm run bench -- markdown <file.json | folder> …
 */
export async function run(args: string[]): Promise<object> {
  const files = args.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => name.endsWith('.json'))
          .map((name) => join(path, name))
      : [path],
  )
  if (files.length === 0) throw new Error('Give the path of a JSON file of examples, or of a folder of them.')
  const scores = files.map((file) => {
    const { failures, ...score } = scoreExamples(JSON.parse(readFileSync(file, 'utf8')))
    for (const { example, ours, expected } of failures)
      console.error(
        `${file} ${example.example ?? ''}\n  ${JSON.stringify(example.markdown)}\n  ours     ${ours}\n  expected ${expected}`,
      )
    return { file, ...score, equal_percent: percent(score.equal, score.compared) }
  })
  const sum = (pick: (score: (typeof scores)[number]) => number) =>
    scores.reduce((total, score) => total + pick(score), 0)
  return {
    files: scores,
    targets: [
      atLeast(
        'equal structure',
        percent(
          sum((score) => score.equal),
          sum((score) => score.compared),
        ),
        98,
        '%',
      ),
      atLeast(
        'HTML shown as text',
        percent(
          sum((score) => score.shownAsText),
          sum((score) => score.asText),
        ),
        100,
        '%',
      ),
    ],
  }
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.round((part / whole) * 1000) / 10
}
