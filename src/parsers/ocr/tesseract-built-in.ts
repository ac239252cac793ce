import { copyFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Unreadable } from '../elements/port.ts'
import type { Engine, EngineWord } from './engine.ts'

const LSTM_ONLY = 1

/**
 * Starts Tesseract as WebAssembly. Copies the language data from packages into `folder`; loads nothing over the network.
 * @throws Unreadable if a language package is missing
 */
export async function startBuiltInEngine(languages: string[], folder: string): Promise<Engine> {
  for (const code of languages) await copyFile(languageFile(code), join(folder, `${code}.traineddata.gz`))
  const { createWorker } = await import('tesseract.js')
  const worker = await createWorker(languages, LSTM_ONLY, {
    langPath: folder,
    cacheMethod: 'none',
    // The failed call reports errors; without this handler they would end the process.
    errorHandler: () => undefined,
  })
  return {
    read: async (png, signal) => {
      const stop = () => void worker.terminate()
      signal.addEventListener('abort', stop, { once: true })
      const { data } = await worker.recognize(Buffer.from(png), {}, { blocks: true, text: false })
      signal.removeEventListener('abort', stop)
      return wordsOf(data.blocks ?? [])
    },
    close: async () => void (await worker.terminate()),
  }
}

/** Returns the name of the package with the data of a language. */
export const languagePackage = (code: string) => `@tesseract.js-data/${code}`

function languageFile(code: string): string {
  const name = languagePackage(code)
  try {
    const home = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(home, '4.0.0_best_int', `${code}.traineddata.gz`)
  } catch (cause) {
    throw new Unreadable('package_missing', { package: name }, { cause })
  }
}

type Word = { text: string; confidence: number; bbox: { x0: number; y0: number; x1: number; y1: number } }
type Block = { paragraphs: { lines: { words: Word[] }[] }[] }

function wordsOf(blocks: Block[]): EngineWord[] {
  return blocks.flatMap(({ paragraphs }, block) =>
    paragraphs.flatMap(({ lines }, paragraph) =>
      lines.flatMap(({ words }, line) =>
        words.map(({ text, confidence, bbox }) => ({
          paragraph: `${block}.${paragraph}`,
          line: `${block}.${paragraph}.${line}`,
          text,
          left: bbox.x0,
          top: bbox.y0,
          right: bbox.x1,
          bottom: bbox.y1,
          confidence: confidence / 100,
        })),
      ),
    ),
  )
}
