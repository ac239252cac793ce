import { atLeast } from './measure/targets.ts'
import { compare, compareAnswer } from './providers/compare.ts'
import { readWithProduct, readWithSdk } from './providers/read-answer.ts'
import { readEmbedding } from './providers/read-embedding.ts'
import { type Recording, readRecordings, serveRecordings } from './providers/recordings.ts'

type Verdict = { id: string; dialect: string; exact: boolean; differs: string[] }

/**
 * Parses every recorded provider answer of a folder with the product and compares it with its expected content: text,
 * reasoning, tool calls, finish reason and usage exactly, and an error or a missing finish as an error that keeps the text.
 * The AI SDK parses the same, and the bench reports which one is right where they differ. `args[0]` is the folder.
 */
export async function run([folder]: string[]): Promise<object> {
  if (!folder) throw new Error('Usage: npm run bench -- providers FOLDER')
  const recordings = readRecordings(folder)
  const server = await serveRecordings(folder, recordings)
  const verdicts: Verdict[] = []
  const sdk: object[] = []
  for (const recording of recordings) {
    const base = server.baseUrl(recording)
    if (recording.dialect === 'embeddings') {
      verdicts.push(verdictOf(recording, await readEmbedding(folder, recording, base)))
      continue
    }
    const differs = compare(folder, recording, await readWithProduct(recording, base))
    verdicts.push(verdictOf(recording, differs))
    if (recording.stream && recording.expect) {
      const others = compareAnswer(recording, await readWithSdk(recording, base))
      if (others.length > 0)
        sdk.push({ id: recording.id, right: differs.length === 0 ? 'atrium' : 'neither', differs: others })
    }
  }
  server.close()
  const exact = verdicts.filter((verdict) => verdict.exact).length
  return {
    recordings: verdicts.length,
    exact,
    by_dialect: countByDialect(verdicts),
    failures: verdicts.filter((verdict) => !verdict.exact),
    sdk_differs: sdk,
    targets: [atLeast('recordings read exactly', exact, verdicts.length, 'recordings')],
  }
}

function verdictOf({ id, dialect }: Recording, differs: string[]): Verdict {
  return { id, dialect, exact: differs.length === 0, differs }
}

function countByDialect(verdicts: Verdict[]) {
  return Object.fromEntries(
    [...new Set(verdicts.map((verdict) => verdict.dialect))].map((dialect) => {
      const all = verdicts.filter((verdict) => verdict.dialect === dialect)
      return [dialect, { recordings: all.length, exact: all.filter((verdict) => verdict.exact).length }]
    }),
  )
}
