import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { THUMBNAIL } from '#shared/knowledge/documents/parts.ts'
import type { Order } from '../../../parsers/elements/order.ts'
import { missingPrograms } from '../../../parsers/elements/programs.ts'
import { DRAWN, type DrawOrder } from '../../../parsers/image/draw-order.ts'
import { probeReading, type Readiness } from '../../../parsers/reader/readiness.ts'
import type { Summary } from '../../../parsers/reader/write-reading.ts'
import type { Config } from '../config/config.ts'
import { MEGABYTE } from '../limits.ts'
import { clearFolders, makeOwnFolder, type OwnFolder } from '../process/own-folder.ts'
import { createPlaces } from './places.ts'
import { type Bounds, type Reader, startReader } from './reader.ts'

export { Unreadable } from '../../../parsers/elements/port.ts'
export type { Summary } from '../../../parsers/reader/write-reading.ts'

/** What is read: a file, how it is called and how much is done with it. */
export type Wish = Pick<
  Order,
  'name' | 'pipeline' | 'articleOnly' | 'encoding' | 'language' | 'limits' | 'settings'
>

/** The readers of this process: documents are read by processes of their own, a few at a time. */
export type Parsing = {
  /**
   * Reads one document. `bring` puts the file at the path it is given; `use` gets what is told of the
   * reading and the folder its files stand in (`writeReading`), which is gone afterwards. Waits for a free reader. @throws Unreadable; the reason of `signal`; what `bring` and `use` throw
   */
  read<T>(
    wish: Wish,
    options: {
      signal: AbortSignal
      /** Somebody waits for a page of the web: it does not wait behind documents. */
      queue?: 'documents' | 'pages'
      /** It may take so long, less than any document may. */
      seconds?: number
      onProgress?: (done: number, total: number) => void
      bring: (path: string) => Promise<void>
      use: (summary: Summary, folder: string) => Promise<T>
    },
  ): Promise<T>
  /**
   * Draws a picture, or one page of a document, as JPEG. Waits for a free reader beside documents.
   * @throws Unreadable; the reason of `signal`; what `bring` throws
   */
  draw(
    wish: Omit<DrawOrder, 'path' | 'outFolder'>,
    options: { signal: AbortSignal; bring: (path: string) => Promise<void> },
  ): Promise<Buffer>
  /** Asks the programs of this machine who they are; takes a second. */
  probe(): Promise<Readiness>
  /** Programs this machine lacks, what they are for, and Debian's packages. */
  missing(): { program: string; package: string; formats: string[] }[]
  /** Removes folders of readings whose process is gone. `before` is for those of earlier versions, which do not say whose they are. */
  clearFolders(before: Date): Promise<void>
  close(): Promise<void>
}

/** A reader that shows no progress for so long is given up. */
const STALL_MS = 55_000
/** Pages of the web that are read beside documents. */
const PAGES_AT_ONCE = 2
/** Maximum time for drawing one picture, in milliseconds. */
const DRAW_MS = 20_000
/** Readers wait this long for more work, in milliseconds. */
const IDLE_MS = 60_000

export function createParsing(config: Config): Parsing {
  const folder = join(config.dataDir, 'work')
  const bounds: Bounds = {
    memory: config.ATRIUM_LIMIT_READER_MB * MEGABYTE,
    stall: STALL_MS,
    whole: config.ATRIUM_LIMIT_READING_SECONDS * 1000,
  }
  const idle: { reader: Reader; timer: NodeJS.Timeout }[] = []
  const busy = new Set<Reader>()
  const queues = { documents: createPlaces(defaultReaders()), pages: createPlaces(PAGES_AT_ONCE) }
  const take = (): Reader => {
    const found = idle.pop()
    if (found) clearTimeout(found.timer)
    const reader = found?.reader.isFit() ? found.reader : startReader()
    busy.add(reader)
    return reader
  }
  const giveBack = (reader: Reader) => {
    busy.delete(reader)
    if (!reader.isFit()) return reader.kill()
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.reader === reader),
        1,
      )
      reader.kill()
    }, IDLE_MS).unref()
    idle.push({ reader, timer })
  }
  return {
    read: async (
      wish,
      { signal, queue = 'documents', seconds, onProgress = () => undefined, bring, use },
    ) => {
      const places = queues[queue]
      await places.enter(signal)
      const own = makeFolder(folder, () => places.leave())
      const work = own.path
      try {
        const path = join(work, 'file')
        await bring(path)
        const [scratch, outFolder] = [join(work, 'scratch'), join(work, 'out')]
        await Promise.all([mkdir(scratch), mkdir(outFolder)])
        const reader = take()
        try {
          await reader.read(
            { ...wish, path, folder: scratch, outFolder },
            {
              ...{ signal, onProgress },
              bounds: seconds === undefined ? bounds : { ...bounds, whole: seconds * 1000 },
            },
          )
        } finally {
          giveBack(reader)
        }
        const summary: Summary = JSON.parse(await readFile(join(outFolder, 'summary.json'), 'utf8'))
        return await use({ ...summary, files: withThumbnail(summary.files, outFolder) }, outFolder)
      } finally {
        places.leave()
        await own.remove()
      }
    },
    draw: async (wish, { signal, bring }) => {
      const places = queues.pages
      await places.enter(signal)
      const own = makeFolder(folder, () => places.leave())
      try {
        const path = join(own.path, 'file')
        await bring(path)
        const reader = take()
        try {
          await reader.draw(
            { ...wish, path, outFolder: own.path },
            { signal, onProgress: () => undefined, bounds: { ...bounds, whole: DRAW_MS } },
          )
        } finally {
          giveBack(reader)
        }
        return await readFile(join(own.path, DRAWN))
      } finally {
        places.leave()
        await own.remove()
      }
    },
    probe: probeReading,
    missing: missingPrograms,
    clearFolders: (before) =>
      clearFolders(folder, ['read'], { now: Date.now(), unmarkedBefore: before.getTime() - bounds.whole }),
    close: async () => {
      for (const { reader, timer } of idle.splice(0)) {
        clearTimeout(timer)
        reader.kill()
      }
      for (const reader of busy) reader.kill()
    },
  }
}

/** A thumbnail comes after the summary, or not at all. */
function withThumbnail(files: string[], folder: string): string[] {
  return existsSync(join(folder, THUMBNAIL)) ? [...files, THUMBNAIL] : files
}

/** People's requests keep the other half of the machine. */
function defaultReaders(): number {
  return Math.max(1, Math.floor(availableParallelism() / 2))
}

function makeFolder(folder: string, onFailure: () => void): OwnFolder {
  try {
    return makeOwnFolder(folder, 'read')
  } catch (error) {
    onFailure()
    throw error
  }
}
