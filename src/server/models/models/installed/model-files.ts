import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

export type ModelFiles = { model: Buffer; tokenizer: object; settings: object }

/** The sums of a folder, by the names of its files. */
async function readSums(folder: string): Promise<Map<string, string>> {
  const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8')
  return new Map(
    [...sums.matchAll(/^([0-9a-f]{64}) [ *](?:\.\/)?(\S+)$/gm)].map(([, hash = '', file = '']) => [
      file,
      hash,
    ]),
  )
}

/** The files of a folder, each of which must be what its SHA256SUMS says. @throws Error that names the one that is not */
export async function readModelFiles(folder: string): Promise<ModelFiles> {
  const known = await readSums(folder)
  const read = async (file: string) => {
    const bytes = await readFile(join(folder, file))
    if (createHash('sha256').update(bytes).digest('hex') !== known.get(file))
      throw new Error(`${file} is not what SHA256SUMS says`)
    return bytes
  }
  const parse = async (file: string) => JSON.parse((await read(file)).toString('utf8'))
  const settings = known.has('tokenizer_config.json') ? await parse('tokenizer_config.json') : {}
  return { model: await read('model.onnx'), tokenizer: await parse('tokenizer.json'), settings }
}

const isName = (name: string) => /^[a-z0-9][\w.-]{0,60}$/i.test(name)

/** The folders in a folder, by name; none where it is not there. */
export async function listFolders(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return found
    .filter((entry) => entry.isDirectory() && isName(entry.name))
    .map((entry) => entry.name)
    .sort()
}

/** Another one when the folder is made anew: a process that read the one before must not go on under its name. */
export async function stampOf(folder: string): Promise<string> {
  const found = await stat(join(folder, 'SHA256SUMS')).catch(() => null)
  return found ? `${found.mtimeMs} ${found.ino}` : ''
}
