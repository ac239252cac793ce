import {
  MAX_MODULE_BYTES,
  type ModuleUi,
  type WantedInterface,
} from '#shared/tools/tool-interfaces/tool-interfaces.ts'

/** An interface file. `content` is its bytes as base64, or null for the stored file. */
export type ModuleFile = { name: string; size: number; content: string | null }

/** Form state of an interface. */
export type Wish = {
  from: 'address' | 'file'
  url: string
  sri: string
  file: ModuleFile | null
  connect: string
  calls: string[]
}

export function startWish(ui: ModuleUi | null): Wish {
  return {
    from: ui?.kind === 'uploaded' ? 'file' : 'address',
    url: ui?.kind === 'remote' ? ui.url : '',
    sri: ui?.kind === 'remote' ? ui.sri : '',
    file: ui?.kind === 'uploaded' ? { ...ui.file, content: null } : null,
    connect: ui?.connect.join('\n') ?? '',
    calls: ui?.calls ?? [],
  }
}

/** Returns whether the form is complete enough to approve. */
export const isComplete = ({ from, url, file }: Wish): boolean =>
  from === 'address' ? url.trim() !== '' : file !== null

/** Builds the interface to send. Without a hash, the current content of the address is approved. */
export function toUi({ from, url, sri, file, connect, calls }: Wish): WantedInterface {
  const rights = { connect: connect.split(/[\s,]/).filter(Boolean), calls }
  if (from === 'address') return { url: url.trim(), sri: sri.trim() || null, ...rights }
  return { file: { name: file?.name ?? '', content: file?.content ?? null }, ...rights }
}

/** Reason why a file is rejected before upload, as the last part of its translation key. */
export type WrongFile = 'empty_file' | 'large_file' | 'wrong_file'

/** Reads a file for upload. Rejects files that are clearly not modules; the server checks the rest. */
export async function readModuleFile(file: File): Promise<ModuleFile | WrongFile> {
  if (!/\.m?js$/i.test(file.name)) return 'wrong_file'
  if (file.size === 0) return 'empty_file'
  if (file.size > MAX_MODULE_BYTES) return 'large_file'
  return { name: file.name.slice(0, 200), size: file.size, content: await readBase64(file) }
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
