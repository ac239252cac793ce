import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

export type ModelFiles = { model: Buffer; tokenizer: object; settings: object }

/** Returns the checksums of a folder by file name. */
async function readSums(folder: string): Promise<Map<string, string>> {
  const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8')
  return new Map(
    [...sums.matchAll(/^([0-9a-f]{64}) [ *](?:\.\/)?(\S+)$/gm)].map(([, hash = '', file = '']) => [
      file,
      hash,
    ]),
  )
}

/** Reads the model files of a folder and checks each against SHA256SUMS. @throws Error that names the file that differs */
export async function readModelFiles(folder: string): Promise<ModelFiles> {
  const known = await readSums(folder)
  const read = async (file: string) => {
    const bytes = await readFile(join(folder, file))
    if (createHash('sha256').update(bytes).digest('hex') !== known.get(file))
      throw new Error(`${file} does not match SHA256SUMS`)
    return bytes
  }
  const parse = async (file: string) => JSON.parse((await read(file)).toString('utf8'))
  const settings = known.has('tokenizer_config.json') ? await parse('tokenizer_config.json') : {}
  return { model: await read('model.onnx'), tokenizer: await parse('tokenizer.json'), settings }
}

const isName = (name: string) => /^[a-z0-9][\w.-]{0,60}$/i.test(name)

/** Returns the names of the folders in a folder, sorted; none when it does not exist. */
export async function listFolders(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return found
    .filter((entry) => entry.isDirectory() && isName(entry.name))
    .map((entry) => entry.name)
    .sort()
}

/** Returns a stamp that changes when the folder is replaced. A process with the old files must end then. */
export async function stampOf(folder: string): Promise<string> {
  const found = await stat(join(folder, 'SHA256SUMS')).catch(() => null)
  return found ? `${found.mtimeMs} ${found.ino}` : ''
}
