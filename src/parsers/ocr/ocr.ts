import type { Canvas } from '@napi-rs/canvas'
import type { Box, Job, PageWord } from '../elements/port.ts'
import { findProgram } from '../elements/programs.ts'
import type { Engine, EngineWord } from './engine.ts'
import { rotateCanvas } from './rotate-canvas.ts'
import { startBuiltInEngine } from './tesseract-built-in.ts'
import { startSystemEngine } from './tesseract-system.ts'

/** A paragraph of text in a picture, with its words in reading order; boxes are fractions of the picture. */
export type ReadParagraph = { text: string; box: Box; words: PageWord[] }
/** `turn` is the clockwise rotation that puts the text of the picture upright. */
export type ReadPicture = { paragraphs: ReadParagraph[]; confidence: number; turn: 0 | 90 | 180 | 270 }

/** Reads the text of pictures. Close it after the last one. */
export type PictureReader = {
  read(picture: Canvas, signal: AbortSignal): Promise<ReadPicture>
  close(): Promise<void>
}

/** Below this mean confidence the picture may be rotated, and its words may be wrong. */
export const DOUBTFUL = 0.65
/** Words above this confidence count when rotations are compared. */
const SURE = 0.6

/** Opens the system's tesseract if it has the languages, else the built-in one. @throws Unreadable if a language package is missing */
export async function openPictureReader({
  settings,
  folder,
}: Pick<Job, 'settings' | 'folder'>): Promise<PictureReader> {
  const program = findProgram('tesseract')
  const system = program ? await startSystemEngine(program, settings.ocrLanguages) : null
  const engine = system ?? (await startBuiltInEngine(settings.ocrLanguages, folder))
  return { read: (picture, signal) => readUpright(engine, picture, signal), close: () => engine.close() }
}

async function readUpright(engine: Engine, picture: Canvas, signal: AbortSignal): Promise<ReadPicture> {
  let best = await readTurned(engine, picture, 0, signal)
  if (best.confidence >= DOUBTFUL && best.score > 0) return best.result
  for (const turn of [90, 180, 270] as const) {
    const next = await readTurned(engine, picture, turn, signal)
    if (next.score > best.score) best = next
    if (best.confidence >= 0.85 && best.score > 20) break
  }
  return best.result
}

type Attempt = { result: ReadPicture; confidence: number; score: number }

async function readTurned(
  engine: Engine,
  picture: Canvas,
  turn: ReadPicture['turn'],
  signal: AbortSignal,
): Promise<Attempt> {
  signal.throwIfAborted()
  const shown = turn === 0 ? picture : rotateCanvas(picture, turn)
  const words = (await engine.read(await shown.encode('png'), signal)).filter(
    ({ text }) => text.trim() !== '',
  )
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  const weighted = words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)
  const confidence = letters === 0 ? 0 : weighted / letters
  const score = words.reduce(
    (sum, word) =>
      sum +
      (word.confidence > SURE && /[\p{L}\p{N}]{2}/u.test(word.text) ? word.text.length * word.confidence : 0),
    0,
  )
  const paragraphs = [...Map.groupBy(words, (word) => word.paragraph).values()].map((group) =>
    toParagraph(group, turn, shown),
  )
  return { result: { paragraphs, confidence, turn }, confidence, score }
}

function toParagraph(words: EngineWord[], turn: ReadPicture['turn'], shown: Canvas): ReadParagraph {
  const placed = words.map(({ text, confidence, ...edges }) => ({
    text,
    confidence,
    box: turnBack(edges, turn, shown),
  }))
  const lines = [...Map.groupBy(words, ({ line }) => line).values()].map((line) =>
    line.map(({ text }) => text).join(' '),
  )
  const box: Box = [
    Math.min(...placed.map((word) => word.box[0])),
    Math.min(...placed.map((word) => word.box[1])),
    Math.max(...placed.map((word) => word.box[2])),
    Math.max(...placed.map((word) => word.box[3])),
  ]
  return { text: joinParted(lines), box, words: placed }
}

/** Joins lines into one text, and the parts of words that are hyphenated at the end of a line. */
function joinParted(lines: string[]): string {
  return lines.reduce((text, line) => {
    if (/\p{Ll}[-\u00ad]$/u.test(text) && /^\p{Ll}/u.test(line)) return text.slice(0, -1) + line
    return text === '' ? line : `${text} ${line}`
  }, '')
}

type PixelEdges = { left: number; top: number; right: number; bottom: number }

/** Converts pixels of the rotated picture to fractions of the original one. */
function turnBack({ left, top, right, bottom }: PixelEdges, turn: ReadPicture['turn'], shown: Canvas): Box {
  const [l, t, r, b] = [left / shown.width, top / shown.height, right / shown.width, bottom / shown.height]
  if (turn === 90) return [t, 1 - r, b, 1 - l]
  if (turn === 180) return [1 - r, 1 - b, 1 - l, 1 - t]
  return turn === 270 ? [1 - b, l, 1 - t, r] : [l, t, r, b]
}
