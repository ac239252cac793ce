import type { ImportFormat, ImportPreview, ImportProblem } from '#shared/lifecycle/imports/imports.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Deps } from '../../tools/deps.ts'
import type { OpenExport } from './archive/open-export.ts'
import { findImport, type ImportRow, noteDone, noteScanned } from './import-store.ts'
import type { ForeignFile, ForeignItem } from './readers/foreign.ts'
import { refusalOf, sizeOf } from './readers/foreign-files.ts'
import { type ReadElement, readElements, refuseUnknown } from './readers/read-export.ts'
import { countKnown } from './writing/thing-store.ts'

type PlacedProblem = ImportProblem & { place: number; number: number }

/** Listed problems of an export. */
const MAX_PROBLEMS = 10_000
/** Entries of an export, and files that they name; their ids are in memory while it is read. */
const MAX_ENTRIES = 500_000
const TELL_MS = 1_000
const IDS_PER_QUERY = 500

/**
 * Reads an export and stores its preview. It changes nothing else, and begins again after a kill.
 * @throws AppError `invalid` when it contains nothing known or too much
 */
export async function scanExport(deps: Deps, row: ImportRow, opened: OpenExport, signal: AbortSignal) {
  const scan = new Scan(opened)
  let [read, told] = [0, Date.now()]
  for await (const element of readElements(opened, opened.sources)) {
    signal.throwIfAborted()
    scan.add(element)
    read += 1
    if (Date.now() - told < TELL_MS) continue
    told = Date.now()
    await noteDone(deps.db, row.id, { state: 'reading', done: read, now: deps.clock.now() })
    // A removed import is read no further.
    if (!(await findImport(deps.db, row.id))) return
  }
  const { format, sources, total, problems } = scan.end()
  if (format === null) return refuseUnknown()
  const preview = { ...scan.preview, new_chats: await countNew(deps, { ...row, format }, scan.chats) }
  await noteScanned(deps.db, row.id, { format, sources, total, preview }, problems, deps.clock.now())
}

async function countNew(
  { db }: Deps,
  { user_id, format }: Pick<ImportRow, 'user_id'> & { format: ImportFormat },
  chats: ReadonlySet<string>,
): Promise<number> {
  const ids = [...chats]
  let known = 0
  for (let at = 0; at < ids.length; at += IDS_PER_QUERY)
    known += await countKnown(db, { user_id, source: format }, 'chat', ids.slice(at, at + IDS_PER_QUERY))
  return ids.length - known
}

/** Files of our archive that are read. One of which nothing can be read is a problem. */
const isOfArchive = (name: string) =>
  /^(?:chats\/[^/]+|data\/(?:assistants|prompts|documents|facts|schedules|media|tool-calls|workspaces|forks|memory-uses|journals))\.json$/.test(
    name,
  )

/** Counts the elements of an export. Unknown elements are problems only in a file that has known ones. */
class Scan {
  readonly chats = new Set<string>()
  readonly preview: Omit<ImportPreview, 'new_chats'> = {
    ...{
      chats: 0,
      branched: 0,
      archived: 0,
      messages: 0,
      files: 0,
      file_bytes: 0,
      assistants: 0,
      prompts: 0,
      facts: 0,
      schedules: 0,
      projects: 0,
    },
    ...{ first_at: null, last_at: null },
  }
  private readonly formats = new Map<ImportFormat, number>()
  private readonly sources = new Map<string, { format: ImportFormat | null; count: number }>()
  private readonly listed: (PlacedProblem & { source: string })[] = []
  private readonly files = new Set<string>()
  private place = 0
  private readonly opened: OpenExport

  constructor(opened: OpenExport) {
    this.opened = opened
  }

  add({ source, format, item, problem }: ReadElement): void {
    this.place += 1
    const known = this.sources.get(source) ?? { format: null, count: 0 }
    this.sources.set(source, { format: known.format ?? format, count: known.count + 1 })
    if (format) this.formats.set(format, (this.formats.get(format) ?? 0) + 1)
    if (problem) this.list(source, problem, 0)
    if (item) this.count(source, item)
    if (this.place > MAX_ENTRIES || this.files.size > MAX_ENTRIES)
      throw new AppError('invalid', 'The export has more than 500,000 chats or files.')
  }

  /** Returns the files of the archive that matter, with the number of their elements. */
  end() {
    const [format = null] = [...this.formats].sort(([, a], [, b]) => b - a).map(([name]) => name)
    const used = [...this.sources].filter(([name, one]) =>
      one.format === null ? format === 'atrium' && isOfArchive(name) : one.format === format,
    )
    const sources = used.map(([name]) => name)
    return {
      ...{ format, sources, total: used.reduce((sum, [, { count }]) => sum + count, 0) },
      problems: this.listed
        .filter(({ source }) => sources.includes(source))
        .slice(0, MAX_PROBLEMS)
        .map(({ source: _, ...problem }) => problem),
    }
  }

  private count(source: string, item: ForeignItem): void {
    const { preview } = this
    if (item.kind === 'assistant') preview.assistants += 1
    if (item.kind === 'prompt') preview.prompts += 1
    if (item.kind === 'fact' && item.state === 'kept') preview.facts += 1
    if (item.kind === 'schedule') preview.schedules += 1
    if (item.kind === 'project') preview.projects += 1
    const files: ForeignFile[] = item.kind === 'document' || item.kind === 'media' ? [item.file] : []
    if (item.kind === 'assistant') files.push(...item.files)
    if (item.kind === 'chat') {
      // A chat that is listed again is counted once.
      if (this.chats.has(item.id)) return
      this.chats.add(item.id)
      preview.chats += 1
      preview.messages += item.messages.length
      if (item.isArchived) preview.archived += 1
      const parents = item.messages.map(({ parent }) => parent)
      if (new Set(parents).size < parents.length) preview.branched += 1
      for (const { at } of item.messages) this.noteTime(at)
      files.push(...item.messages.flatMap((message) => message.files))
    }
    files.forEach((file, at) => void this.countFile(source, file, at + 1))
  }

  private noteTime(at: Date | null): void {
    if (!at) return
    const iso = at.toISOString()
    const { first_at, last_at } = this.preview
    if (first_at === null || iso < first_at) this.preview.first_at = iso
    if (last_at === null || iso > last_at) this.preview.last_at = iso
  }

  private countFile(source: string, file: ForeignFile, number: number): void {
    if (this.files.has(file.id)) return
    this.files.add(file.id)
    const reason = refusalOf(file)
    if (reason) this.list(source, { kind: 'file', title: file.name.slice(0, 200), reason }, number)
    else {
      this.preview.files += 1
      this.preview.file_bytes += sizeOf(file, this.opened)
    }
  }

  private list(source: string, problem: ImportProblem, number: number): void {
    if (this.listed.length < 2 * MAX_PROBLEMS)
      this.listed.push({ source, ...problem, place: this.place, number })
  }
}
