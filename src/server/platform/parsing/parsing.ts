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

/** A file to read, its name, and the depth of processing. */
export type Wish = Pick<
  Order,
  'name' | 'pipeline' | 'articleOnly' | 'encoding' | 'language' | 'limits' | 'settings'
>

/** The readers of this process. Documents are parsed in separate processes, a few concurrently. */
export type Parsing = {
  /** Starts a reader unless one runs, because a document is about to arrive. */
  warm(): void
  /**
   * Reads one document. `bring` writes the file to the given path. `use` receives the outcome and the folder with its files
   * (`writeReading`), which is deleted afterwards. Waits for a free reader. @throws Unreadable; the reason of `signal`;
   * what `bring` and `use` throw
   */
  read<T>(
    wish: Wish,
    options: {
      signal: AbortSignal
      /** Someone is waiting for a web page, so it does not queue behind documents. */
      queue?: 'documents' | 'pages'
      /** Time limit, lower than that of documents. */
      seconds?: number
      onProgress?: (done: number, total: number) => void
      bring: (path: string) => Promise<void>
      use: (summary: Summary, folder: string) => Promise<T>
    },
  ): Promise<T>
  /**
   * Renders a picture or one page of a document as JPEG, or a picture as PNG. Waits for a free reader, separately from documents.
   * @throws Unreadable; the reason of `signal`; what `bring` throws
   */
  draw(
    wish: Omit<DrawOrder, 'path' | 'outFolder'>,
    options: { signal: AbortSignal; bring: (path: string) => Promise<void> },
  ): Promise<Buffer>
  /** Checks the versions of the programs on this machine, which takes about a second. */
  probe(): Promise<Readiness>
  /** Lists missing programs with their formats and their Debian packages. */
  missing(): { program: string; package: string; formats: string[] }[]
  /**
   * Removes folders of readings whose process has ended. `before` applies to folders of earlier versions, which do not name
   * their process.
   */
  clearFolders(before: Date): Promise<void>
  close(): Promise<void>
}

/** A reader without progress for this long is killed. */
const STALL_MS = 55_000
/** Web pages read concurrently with documents. */
const MAX_CONCURRENT_PAGES = 2
/** Maximum time for drawing one picture, in milliseconds. */
const DRAW_MS = 20_000
/** Idle readers wait this long for more work, in milliseconds. */
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
  const queues = { documents: createPlaces(defaultReaders()), pages: createPlaces(MAX_CONCURRENT_PAGES) }
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
    warm: () => {
      if (busy.size === 0 && idle.length === 0) giveBack(startReader())
    },
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

/** Appends a thumbnail after the summary, if there is one. */
function withThumbnail(files: string[], folder: string): string[] {
  return existsSync(join(folder, THUMBNAIL)) ? [...files, THUMBNAIL] : files
}

/** The other half of the cores is left for people's requests. */
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
