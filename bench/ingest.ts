import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Account, signUp } from '../tests/support/account.ts'
import { type Product, startProduct } from '../tests/support/product.ts'
import { brokenFiles, longPdf, smallFiles } from './ingest/files.ts'
import { type Ended, openLibrary } from './ingest/library.ts'
import { cpuSeconds } from './measure/processes.ts'
import { round } from './measure/statistics.ts'
import { atMost, below } from './measure/targets.ts'

/**
 * Measures document processing on the real product: a PDF of 100 pages until text on its last page is found, then many
 * small files concurrently, some of them broken, while someone chats.
 *
 * --files 100 (1000 is the full size) --broken 20 in 1000 --questions 15
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      files: { type: 'string', default: '100' },
      broken: { type: 'string', default: '2' },
      pages: { type: 'string', default: '100' },
      questions: { type: 'string', default: '15' },
    },
  })
  const [files, broken, questions] = [Number(values.files), Number(values.broken), Number(values.questions)]
  const product = await startProduct({ entry: 'src/server/main.ts' })
  try {
    const talker = await signUp(product.url, 'ada')
    const library = openLibrary(product.url, await signUp(product.url, 'grace'))
    const pdf = await readPdf(product, library, Number(values.pages))
    const before = await chat(talker, { questions })
    const work = { isOver: false }
    const [during, many] = await Promise.all([
      chat(talker, { until: () => work.isOver }),
      readMany(library, { files, broken }).finally(() => {
        work.isOver = true
      }),
    ])
    const after = await chat(talker, { questions })
    const idle = p95([...before, ...after])
    const ratio = round(p95(during) / idle, 2)
    return {
      pdf,
      many: { ...many, load: round(loadavg()[0] ?? 0) },
      chat: { idle_p95_ms: round(idle), busy_p95_ms: round(p95(during)), replies: during.length, ratio },
      targets: [
        below(`a PDF of ${values.pages} pages is found`, pdf.found_s, 10, 's'),
        atMost('files without an end', many.unended, 0, ''),
        atMost('whole files that failed', many.failed_whole, 0, ''),
        atMost('broken files without a reason', many.without_reason, 0, ''),
        atMost('p95 of a reply while files are read', ratio, 2, '× idle'),
      ],
    }
  } finally {
    await product.stop()
  }
}

type Library = ReturnType<typeof openLibrary>

/** Measures from the start of the upload until words find it, and until it has its vectors. */
async function readPdf({ process: { pid = 0 } }: Product, library: Library, pages: number) {
  // Warm-up, because some code loads once.
  await library.ended([await library.upload('first.txt', Buffer.from('A first text, to warm up.'))])
  const bytes = longPdf(pages)
  const before = cpuSeconds(pid)
  const from = performance.now()
  const id = await library.upload('Long.pdf', bytes, 'low_latency')
  const uploaded = performance.now()
  const [found, [ended]] = await Promise.all([
    library.untilFound('heliotrope of the last page', id),
    library.ended([id]),
  ])
  const completed = performance.now()
  if (ended?.status !== 'completed') throw new Error(`the PDF ended ${JSON.stringify(ended)}`)
  const cpu = cpuSeconds(pid)
  const seconds = (until: number) => round((until - from) / 1000, 2)
  return {
    ...{ bytes: bytes.length, uploaded_s: seconds(uploaded), completed_s: seconds(completed) },
    found_s: seconds(found),
    phases: await library.phases(id),
    cpu_s: { node: round(cpu.node - before.node), postgres: round(cpu.postgres - before.postgres) },
  }
}

/** Uploads whole and broken files before waiting for the first. */
async function readMany(library: Library, { files, broken }: { files: number; broken: number }) {
  const from = performance.now()
  const bad = await library.uploadAll(brokenFiles(broken))
  const good = await library.uploadAll(smallFiles(files - broken))
  const uploaded = performance.now()
  const ends = await library.ended([...bad, ...good])
  const [isBad, over] = [new Set(bad), (end: Ended) => end.status === 'completed' || end.status === 'failed']
  const whole = ends.filter(({ id }) => !isBad.has(id))
  return {
    ...{ files, broken, uploaded_s: round((uploaded - from) / 1000) },
    ended_s: round((performance.now() - from) / 1000),
    unended: ends.filter((end) => !over(end)).length,
    failed_whole: whole.filter(({ status }) => status === 'failed').length,
    without_reason: ends.filter(({ id, status, reason }) => isBad.has(id) && (status !== 'failed' || !reason))
      .length,
    reasons: [...new Set(ends.flatMap(({ reason }) => reason ?? []))],
  }
}

/** Measures replies from question to end: a given number, or until something is over. */
async function chat(
  talker: Account,
  { questions, until }: { questions?: number; until?: () => boolean },
): Promise<number[]> {
  const { id } = await talker.call<{ id: string }>('POST', '/sessions', {})
  const times: number[] = []
  while (until ? !until() : times.length < (questions ?? 0)) {
    const from = performance.now()
    const body = { chat_session_id: id, content: 'What is 2 + 2?', model_name: 'atrium/offline' }
    await talker.call('POST', '/messages', body)
    while ((await talker.call<{ status: string }>('GET', `/sessions/${id}`)).status === 'GENERATING')
      await sleep(20)
    times.push(performance.now() - from)
    await sleep(THINKING_MS)
  }
  return times
}

const THINKING_MS = 250

function p95(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN
}
