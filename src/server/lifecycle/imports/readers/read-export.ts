import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportFormat, ImportProblem, ProblemReason } from '#shared/lifecycle/imports/imports.ts'
import { AppError } from '#shared/platform/errors.ts'
import { readJson } from '../../../platform/outbound/foreign/foreign.ts'
import { Damage } from '../archive/damage.ts'
import type { OpenExport } from '../archive/open-export.ts'
import { MAX_ELEMENT_DEPTH, splitElements } from '../archive/split-elements.ts'
import { atriumAssistant, atriumChat, atriumDocument, atriumPrompt } from './atrium.ts'
import { atriumJournal } from './atrium-journal.ts'
import { atriumCall, atriumFact, atriumMedia, atriumSchedule } from './atrium-parts.ts'
import { atriumFork, atriumMemoryUse, atriumProject } from './atrium-places.ts'
import { chatgptAssistant, chatgptChat } from './chatgpt.ts'
import { claudeChat, claudeProject } from './claude.ts'
import type { ElementReader, ForeignItem, Shelf } from './foreign.ts'
import { librechatChat } from './librechat.ts'
import { openWebuiChat, openWebuiModel } from './open-webui.ts'
import { asName, asObject } from './read-values.ts'

/** Chats come first: a chat also has fields that others are recognized by. */
const readers: ElementReader[] = [
  ...[atriumChat, chatgptChat, claudeChat, openWebuiChat, librechatChat],
  ...[chatgptAssistant, claudeProject, openWebuiModel, atriumAssistant, atriumPrompt, atriumDocument],
  ...[atriumFact, atriumSchedule, atriumCall, atriumMedia],
  ...[atriumProject, atriumFork, atriumMemoryUse, atriumJournal],
]

/** Limits of one element, so that parsing it does not block the event loop for long. */
const BOUNDS = { values: 1_000_000, depth: MAX_ELEMENT_DEPTH + 1 }

/** Milliseconds between two turns of the event loop. */
const MAX_TURN_MS = 10

/** An element of an export: something to import, a problem, or nothing. `format` is null when nothing recognizes it. */
export type ReadElement = {
  source: string
  format: ImportFormat | null
  item: ForeignItem | null
  problem: ImportProblem | null
}

/**
 * Yields the elements of the JSON files `sources`, one at a time. The first `skip` elements are passed over without being parsed.
 */
export async function* readElements(
  opened: OpenExport,
  sources: readonly string[],
  skip = 0,
): AsyncGenerator<ReadElement> {
  const shelf = shelfOf(opened)
  let [place, since] = [0, performance.now()]
  for (const source of sources) {
    for await (const element of splitElements(await opened.read(source))) {
      place += 1
      // A chunk may contain thousands of tiny elements, none of which waits for anything.
      if (performance.now() - since > MAX_TURN_MS) {
        await nextTurn()
        since = performance.now()
      }
      if (place <= skip) continue
      const read = 'text' in element ? await readOne(element.text, shelf) : unread(element.reason)
      yield { source, ...read }
    }
  }
}

type Read = Omit<ReadElement, 'source'>

const unread = (reason: ProblemReason): Read => ({
  ...{ format: null, item: null },
  problem: { kind: 'chat', title: '', reason },
})

async function readOne(text: string, shelf: Shelf): Promise<Read> {
  const value = await parse(text)
  if (value === 'too_large') return unread(value)
  const reader = value && readers.find(({ recognizes }) => recognizes(value))
  if (!value || !reader) return { ...unread('damaged'), ...(value && titled(value)) }
  try {
    return { format: reader.format, item: reader.read(value, shelf), problem: null }
  } catch (error) {
    if (!(error instanceof Damage)) throw error
    const kind = kindOf(reader)
    return {
      format: reader.format,
      item: null,
      problem: { kind, title: titleOf(value), reason: error.reason },
    }
  }
}

const titled = (value: Record<string, unknown>) => ({
  problem: { kind: 'chat' as const, title: titleOf(value), reason: 'damaged' as const },
})

function kindOf(reader: ElementReader): ImportProblem['kind'] {
  if (reader === atriumPrompt) return 'prompt'
  if (reader === atriumDocument || reader === atriumMedia) return 'file'
  if (reader === atriumFact) return 'fact'
  if (reader === atriumSchedule) return 'schedule'
  if (reader === atriumProject) return 'project'
  if ([atriumCall, atriumFork, atriumMemoryUse, atriumJournal].includes(reader)) return 'chat'
  return readers.indexOf(reader) >= readers.indexOf(chatgptAssistant) ? 'assistant' : 'chat'
}

/** Returns null for an element that is no object. A large one is counted in a thread. */
async function parse(text: string): Promise<Record<string, unknown> | 'too_large' | null> {
  try {
    return asObject(await readJson(Buffer.from(text), BOUNDS))
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_large') return 'too_large'
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Returns the title under which a damaged element is listed. */
function titleOf(value: Record<string, unknown>): string {
  return (asName(value.title) ?? asName(value.name) ?? '').slice(0, 200)
}

/** ChatGPT names its files by their id, with the original name or only an ending behind it. */
const FILE_ID = /^(file[-_][A-Za-z0-9]+)/

/** Returns the files of an export by what refers to them. */
export function shelfOf({ members }: OpenExport): Shelf {
  const byId = new Map<string, string>()
  const documents = new Map<string, string>()
  const made = new Map<string, string>()
  const versions = new Map<string, string>()
  for (const name of members.keys()) {
    const parts = name.split('/')
    const id = FILE_ID.exec(parts.at(-1) ?? '')?.[1]
    if (id !== undefined && !byId.has(id)) byId.set(id, name)
    // Earlier versions of a document are in folders below.
    const [folder, document = ''] = parts
    if (folder === 'documents' && parts.length === 3 && !documents.has(document))
      documents.set(document, name)
    const [, , version = ''] = parts
    if (folder === 'documents' && parts.length === 4 && !versions.has(`${document}/${version}`))
      versions.set(`${document}/${version}`, name)
    if (folder === 'files' && parts.length === 3 && !made.has(document)) made.set(document, name)
  }
  return {
    findById: (id) => byId.get(id) ?? null,
    findDocument: (id) => documents.get(id) ?? null,
    findVersion: (id, version) => versions.get(`${id}/version-${version}`) ?? null,
    findMade: (id) => made.get(id) ?? null,
  }
}

/** @throws AppError `invalid` */
export function refuseUnknown(): never {
  throw new AppError(
    'invalid',
    'This file contains no chats of ChatGPT, Claude, Open WebUI, LibreChat or Atrium. Choose the file that the product exported.',
  )
}
