import type { FoundFile } from './upload.ts'

/** A larger number is a mistake, such as a whole disk. */
const MAX_FILES = 10_000
/** System files in folders that are not uploaded. */
const leftovers = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

/** Returns whether a drag or paste contains files. */
export const hasFiles = (data: DataTransfer | null) => data?.types.includes('Files') ?? false

/** Returns the dropped files, those in folders with the folder path. Must be called while the event is handled. */
export async function readDropped(data: DataTransfer): Promise<FoundFile[]> {
  // After the first await, the browser has emptied the list.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  const files = [...data.files]
  if (entries.every((entry) => entry === null)) return files.map((file) => ({ file, path: '' }))
  const found: FoundFile[] = []
  for (const entry of entries) if (entry) await collect(entry, '', found)
  return found
}

/** Returns the files of a selected folder, with their paths. */
export function readChosen(files: Iterable<File>): FoundFile[] {
  return [...files]
    .filter(({ name }) => !leftovers.has(name))
    .map((file) => ({ file, path: file.webkitRelativePath.split('/').slice(0, -1).join('/') }))
}

/** Opens the file picker for files, one file, or a folder. */
export function askForFiles(
  onChosen: (files: FoundFile[]) => void,
  { isFolder = false, isOne = false } = {},
): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = !isOne
  input.webkitdirectory = isFolder
  input.onchange = () => onChosen(readChosen(input.files ?? []))
  input.click()
}

async function collect(entry: FileSystemEntry, path: string, found: FoundFile[]): Promise<void> {
  if (found.length >= MAX_FILES || leftovers.has(entry.name)) return
  if (entry.isFile) {
    found.push({ file: await fileOf(entry as FileSystemFileEntry), path })
    return
  }
  const inside = path ? `${path}/${entry.name}` : entry.name
  for (const child of await childrenOf(entry as FileSystemDirectoryEntry)) await collect(child, inside, found)
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** A folder is read in batches of a hundred, until one is empty. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    const piece = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (piece.length === 0) return children
    children.push(...piece)
  }
}
