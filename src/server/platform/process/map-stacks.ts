import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Makes stack traces of built files name their sources. Node's own support reads every source map at start and keeps it, which takes 10 MB. This reads
 * the map of a file when an error in it is printed.
 */
export function mapStacks(folder: URL): void {
  const maps = new Map<string, SourceMap | null>()
  const mapOf = (file: string) => {
    if (!maps.has(file)) maps.set(file, readMap(file))
    return maps.get(file)
  }
  const describe = (frame: NodeJS.CallSite): string => {
    const file = frame.getFileName()
    const text = `    at ${frame}`
    if (!file?.startsWith(folder.href)) return text
    const [line, column] = [frame.getLineNumber() ?? 0, frame.getColumnNumber() ?? 0]
    const origin = mapOf(file)?.findOrigin(line, column)
    if (!origin || !('fileName' in origin)) return text
    const { fileName, lineNumber, columnNumber } = origin
    return text.replace(`${file}:${line}:${column}`, `${fileName}:${lineNumber}:${columnNumber}`)
  }
  Error.prepareStackTrace = (error, frames) =>
    [Error.prototype.toString.call(error), ...frames.map(describe)].join('\n')
}

/** Returns null without a readable map. */
function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')))
  } catch {
    // The trace then names the built file.
    return null
  }
}
