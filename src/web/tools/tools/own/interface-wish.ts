import {
  MOST_MODULE_BYTES,
  type ModuleUi,
  type WantedInterface,
} from '#shared/tools/tool-interfaces/tool-interfaces.ts'

/** A file that was chosen, its bytes as base64; null for the one that is kept. */
export type ModuleFile = { name: string; size: number; content: string | null }

/** What the form of an interface holds. */
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

/** Whether there is something to approve. */
export const isComplete = ({ from, url, file }: Wish): boolean =>
  from === 'address' ? url.trim() !== '' : file !== null

/** Without a hash what stands at the address now is approved. */
export function toUi({ from, url, sri, file, connect, calls }: Wish): WantedInterface {
  const rights = { connect: connect.split(/[\s,]/).filter(Boolean), calls }
  if (from === 'address') return { url: url.trim(), sri: sri.trim() || null, ...rights }
  return { file: { name: file?.name ?? '', content: file?.content ?? null }, ...rights }
}

/** Why a file is not even read, as the last part of a key of its sentence. */
export type WrongFile = 'empty_file' | 'large_file' | 'wrong_file'

/** A file as it is sent. Whether it is a module is the server's to say: what is plainly none is not sent there. */
export async function readModuleFile(file: File): Promise<ModuleFile | WrongFile> {
  if (!/\.m?js$/i.test(file.name)) return 'wrong_file'
  if (file.size === 0) return 'empty_file'
  if (file.size > MOST_MODULE_BYTES) return 'large_file'
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
