import { atLeast } from './measure/targets.ts'
import { type Reading, readWithProduct, readWithSdk } from './providers/read-answer.ts'
import { readEmbedding } from './providers/read-embedding.ts'
import { type Expected, type Recording, readRecordings, serveRecordings } from './providers/recordings.ts'

type Verdict = { id: string; dialect: string; exact: boolean; differs: string[] }

/**
 * Reads every recorded provider answer of a folder with the product and compares it with what is in it: text and tool
 * calls exactly, an error or a missing finish as an error that keeps the text. `args[0]` is the folder.
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
      verdicts.push(verdictOf(recording, await readEmbedding(folder, recording)))
      continue
    }
    const reading = await readWithProduct(recording, base)
    verdicts.push(verdictOf(recording, compare(recording, reading)))
    if (recording.stream && recording.expect) {
      const other = await readWithSdk(recording, base)
      const differs = compare(recording, other)
      if (differs.length > 0)
        sdk.push({
          id: recording.id,
          right: compare(recording, reading).length === 0 ? 'atrium' : 'neither',
          differs,
        })
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

function compare(recording: Recording, reading: Reading): string[] {
  if (recording.status >= 300) return reading.error ? [] : [`HTTP ${recording.status} was not reported`]
  if (!recording.expect) return compareWhole(recording, reading)
  return compareExpected(recording, recording.expect, reading)
}

/** An answer that was not streamed: readable, or reported when it carries an error. */
function compareWhole({ id }: Recording, { error, text, tool_calls, reasoning }: Reading): string[] {
  const carriesError = /(^|[-_.])errors?([-_.]|$)/.test(id)
  if (carriesError) return error ? [] : ['the error in it was not reported']
  if (error) return [error]
  return text || reasoning || tool_calls.length > 0 ? [] : ['nothing was read']
}

function compareExpected({ tags }: Recording, expected: Expected, reading: Reading): string[] {
  const differs: string[] = []
  const mustFail =
    expected.error !== undefined || tags.some((tag) => /stream-error|no-finish|truncated/.test(tag))
  if (mustFail !== (reading.error !== null))
    differs.push(mustFail ? 'the failure was not reported' : `it failed: ${reading.error}`)
  if (reading.text !== expected.text)
    differs.push(`text: ${shorten(reading.text)} instead of ${shorten(expected.text)}`)
  const calls = expected.tool_calls.filter((call) => !call.server)
  // Where arguments are streamed in pieces the reference lists the pieces: only the names can be compared.
  const inPieces = calls.some((call) => call.name === null)
  const wanted = mustFail
    ? []
    : calls
        .map(({ name, arguments: written }) => (inPieces ? name : `${name} ${normal(written)}`))
        .filter(Boolean)
  const found = reading.tool_calls.map(({ name, arguments: written }) =>
    inPieces ? name : `${name} ${normal(written)}`,
  )
  if (!mustFail && wanted.join('\n') !== found.join('\n'))
    differs.push(`tool calls: ${shorten(found.join(' | '))} instead of ${shorten(wanted.join(' | '))}`)
  return differs
}

/** Arguments are compared as values: providers differ in white space. */
function normal(written: unknown): string {
  if (typeof written !== 'string') return JSON.stringify(written)
  try {
    return JSON.stringify(JSON.parse(written || '{}'))
  } catch {
    return written
  }
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 60)}…${text.slice(-50)} (${text.length})` : text)
}

function countByDialect(verdicts: Verdict[]) {
  return Object.fromEntries(
    [...new Set(verdicts.map((verdict) => verdict.dialect))].map((dialect) => {
      const all = verdicts.filter((verdict) => verdict.dialect === dialect)
      return [dialect, { recordings: all.length, exact: all.filter((verdict) => verdict.exact).length }]
    }),
  )
}
