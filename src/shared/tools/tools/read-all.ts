import type {
  Corpus,
  CorpusAnswer,
  CorpusNote,
  CorpusPort,
  CorpusTask,
  CorpusWish,
} from '../../knowledge/corpus/corpus-port.ts'
import { AppError } from '../../platform/errors.ts'
import type { ToolContext } from './tool.ts'
import { toolError } from './tool-errors.ts'

/** Progress callbacks while a corpus is read; each is called inside a step. */
export type ReadingShown = {
  begun: () => unknown
  fixed: (corpus: Corpus) => unknown
  /** A wave starts: the first notes every piece, each further one joins the previous notes. */
  wave: (wave: number, items: number) => unknown
  progress: (wave: number, items: number, done: number) => unknown
  /** `isLast`: the notes fit one answer. */
  waveDone: (wave: number, notes: number, isLast: boolean) => unknown
  answering: () => unknown
  /** Null: the answer starts over, and earlier text is discarded. */
  text: (text: string | null) => unknown
  answered: (answer: CorpusAnswer) => unknown
}

/** Concurrent model calls. */
const MAX_CONCURRENT_CALLS = 4
/** Maximum progress reports per wave. */
const MAX_REPORTS = 40

/**
 * Reads a whole corpus and answers from it. One step fixes the corpus; each piece, each join and the answer are separate steps,
 * so that a replay does not read anything twice. Asks for approval before a large corpus.
 * @throws AppError, ModelError
 */
export async function readAll(
  { step, ask, corpus: port }: Pick<ToolContext, 'step' | 'ask' | 'corpus'>,
  wish: CorpusWish,
  task: CorpusTask,
  shown: ReadingShown,
): Promise<{ corpus: Corpus; answer: CorpusAnswer }> {
  const corpus = await step('fix', async () => {
    shown.begun()
    const corpus = await port.fix(wish)
    shown.fixed(corpus)
    return corpus
  })
  await askLeave(ask, corpus)
  const waves = createWaves(step, shown, port.group)
  let { notes, groups } = await waves.run(corpus.pieces, (piece) => port.note(task, piece))
  while (groups) {
    const before = notes
    const joined = groups.map((places) => places.flatMap((at) => before[at] ?? []))
    ;({ notes, groups } = await waves.run(joined, (group) => port.join(task, group)))
  }
  const answer = await step('answer', async () => {
    shown.answering()
    const answer = await port.answer(task, corpus, notes, shown.text)
    shown.answered(answer)
    return answer
  })
  return { corpus, answer }
}

/** @throws AppError when the person says no */
async function askLeave(ask: ToolContext['ask'], { cost: { question } }: Corpus): Promise<void> {
  if (question === null) return
  const { input } = await ask('cost', { prompt: question, input_types: ['boolean'] })
  if (input !== true) throw new AppError('conflict', toolError('declined'))
}

type Shown = Pick<ReadingShown, 'wave' | 'progress' | 'waveDone'>

function createWaves(step: ToolContext['step'], shown: Shown, groupOf: CorpusPort['group']) {
  let wave = 0
  return {
    /** Processes every item in its own step, several concurrently. */
    run: async <Item>(items: readonly Item[], work: (item: Item) => Promise<CorpusNote>) => {
      wave += 1
      const number = wave
      await step(`wave${number}`, async () => void shown.wave(number, items.length))
      const often = Math.ceil(items.length / MAX_REPORTS)
      let done = 0
      const notes = await sideBySide(items, async (item, at) => {
        let isCounted = false
        const count = () => {
          done += 1
          isCounted = true
        }
        const note = await step(`wave${number}:${at + 1}`, async () => {
          const note = await work(item)
          count()
          if (done % often === 0 || done === items.length) shown.progress(number, items.length, done)
          return note
        })
        // Returned from its record.
        if (!isCounted) count()
        return note
      })
      const groups = groupOf(notes)
      const isLast = groups === null
      await step(`wave${number}:done`, async () => void shown.waveDone(number, notes.length, isLast))
      return { notes, groups }
    },
  }
}

/** Returns results in the order of the items. After a failure, starts no further items, waits for running ones, then throws. */
async function sideBySide<Item, Made>(
  items: readonly Item[],
  make: (item: Item, at: number) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = []
  const failures: unknown[] = []
  const waiting = items.entries()
  const lane = async () => {
    for (const [at, item] of waiting) {
      if (failures.length > 0) return
      await make(item, at).then(
        (one) => {
          made[at] = one
        },
        (error) => failures.push(error),
      )
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, lane))
  if (failures.length > 0) throw failures[0]
  return made
}
