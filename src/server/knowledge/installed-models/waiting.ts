import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelKind, WaitingModel } from '#shared/knowledge/installed-models/installed-models.ts'
import { listFolders } from '../../models/models/models.ts'

/** Lists the waiting folders without reading their files, which are large. */
export async function listWaiting(place: string, mostBytes: Most): Promise<WaitingModel[]> {
  const names = (await listFolders(place)).slice(0, 100)
  return Promise.all(names.map((name) => describeWaiting(place, name, mostBytes)))
}

/** The largest allowed model file, in bytes, by kind. */
type Most = { chat: number; other: number }

/** Returns the name of the only GGUF file of a folder; null unless there is exactly one. Links do not count. */
export async function findGguf(folder: string): Promise<string | null> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const [first, ...others] = found.filter((one) => one.isFile() && one.name.endsWith('.gguf'))
  return first && others.length === 0 ? first.name : null
}

/** Describes one folder that waits to be installed. */
export async function describeWaiting(place: string, name: string, most: Most): Promise<WaitingModel> {
  const folder = join(place, name)
  const mostBytes = most.other
  const sizeOf = async (path: string) => (await stat(join(folder, path)).catch(() => null))?.size ?? null
  const gguf = await findGguf(folder)
  if (gguf) {
    const bytes = (await sizeOf(gguf)) ?? 0
    const problem = bytes > most.chat ? `${gguf} exceeds the size limit.` : null
    return { name, bytes, kind: 'chat', has_sums: (await sizeOf('SHA256SUMS')) !== null, problem }
  }
  const model = (await sizeOf('model.onnx')) ?? (await sizeOf('onnx/model.onnx'))
  const isThere = async (path: string) => (await sizeOf(path)) !== null
  const problemOf = async () => {
    if (model === null) return 'model.onnx is missing.'
    if (model > mostBytes) return 'model.onnx exceeds the size limit.'
    return (await isThere('tokenizer.json')) ? null : 'tokenizer.json is missing.'
  }
  const kind: ModelKind | null = (await isThere('1_Pooling/config.json')) ? 'embedding' : null
  return { name, bytes: model ?? 0, kind, has_sums: await isThere('SHA256SUMS'), problem: await problemOf() }
}
