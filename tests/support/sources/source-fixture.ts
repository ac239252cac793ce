import type { Reader } from '../documents.ts'

export type Files = ReadonlyMap<string, string>

/** A server of a source with files by path, such as `a/n 1.txt`. */
export type SourceFixture = {
  settings: Record<string, string>
  config: Record<string, string>
  setFiles: (files: Files) => void
  /** Makes it ask to wait; null for a source without a server. */
  setBusy: ((isBusy: boolean) => void) | null
  /** Requests that are not known to only read. */
  writes: () => string[]
  /** False when an item never changes: another one takes its place. */
  changesItems: boolean
  /** Sets the address of the only person who may read the files. Only sources that mirror rights have it. */
  setReader?: (address: string) => void
  /** Signs a connector in. Only sources where people sign in on a page have it. */
  signIn?: (base: string, who: Reader, connectorId: string) => Promise<void>
  close: () => void | Promise<void>
}

/** A file as a server with entries of its own stores it: `number` stays the same, `edit` is higher after every change. */
export type Entry = { folder: string; name: string; text: string; number: number; edit: number }

/** Returns a function that sets files on a server which receives only the changes. */
export function byEntry(tell: { put: (entry: Entry) => void; remove: (entry: Entry) => void }) {
  const stored = new Map<string, Entry>()
  let [numbers, edits] = [0, 0]
  return (files: Files): void => {
    for (const [path, entry] of stored)
      if (!files.has(path)) {
        tell.remove(entry)
        stored.delete(path)
      }
    for (const [path, text] of files) {
      const known = stored.get(path)
      if (known?.text === text) continue
      const [folder = '', name = ''] = path.split('/')
      edits += 1
      if (!known) numbers += 1
      const entry = { folder, name, text, number: known?.number ?? numbers, edit: edits }
      stored.set(path, entry)
      tell.put(entry)
    }
  }
}
