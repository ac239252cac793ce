import { copyFile, open, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { digitize, textOnly } from '../elements/markdown.ts'
import type { Order, Reading } from '../elements/order.ts'
import { type Element, type Page, Unreadable, type Warning } from '../elements/port.ts'
import { sniffFormat } from '../sniff/sniff.ts'
import { parsers } from './parsers.ts'

/** Bytes at the start of a file that are read to detect its format. */
const HEAD_BYTES = 64 * 1024

/** Detects the format of a file and reads it. @throws Unreadable */
export async function readDocument(
  order: Order,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Reading> {
  const { size } = await stat(order.path)
  if (size === 0) throw new Unreadable('empty')
  const { format, isExpected } = await sniffFormat(await readHead(order.path), { ...order, size, signal })
  const load = format && parsers[format]
  if (!format || !load) throw new Unreadable('unsupported', { format: format ?? extensionOf(order.name) })
  const result = { elements: [] as Element[], pages: [] as Page[], warnings: [] as Warning[], letters: null }
  const facts: Reading['facts'] = {}
  const kept: string[] = []
  const attachments: Reading['attachments'] = []
  if (!isExpected) result.warnings.push({ code: 'wrong_extension', values: { format } })
  const { parse } = await load()
  await parse({
    ...order,
    size,
    format,
    signal,
    add: addWithin(order.limits.characters, result),
    page: (page) => void result.pages.push(page),
    progress: onProgress,
    warn: (warning) => void result.warnings.push(warning),
    compared: (letters) => void Object.assign(result, { letters }),
    describe: (more) => void Object.assign(facts, more),
    keep: async (name, content) => {
      assertPlainName(name)
      const target = join(order.outFolder, name)
      await ('path' in content ? copyFile(content.path, target) : writeFile(target, content))
      kept.push(name)
    },
    attach: (file) => void attachments.push(file),
  })
  signal.throwIfAborted()
  const { markdown, spans } = digitize(result.elements)
  const elements = result.elements.map((element, at) => ({
    ...element,
    span: spans[at] ?? ([0, 0] as const),
  }))
  return { ...result, format, elements, facts, kept, attachments, markdown, text: textOnly(result.elements) }
}

/** Returns a function that adds elements within a limit of characters. It warns once about omitted elements. */
function addWithin(
  characters: number,
  { elements, warnings }: { elements: Element[]; warnings: Warning[] },
): (element: Element) => void {
  let left = characters
  return (element) => {
    left -= element.text.length
    if (left >= 0) elements.push(element)
    else if (!warnings.some(({ code }) => code === 'text_cut'))
      warnings.push({ code: 'text_cut', values: { characters } })
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function assertPlainName(name: string): void {
  if (!/^[a-z0-9][a-z0-9.-]{0,99}$/.test(name)) throw new Error(`${name} is not a name for a kept file`)
}
