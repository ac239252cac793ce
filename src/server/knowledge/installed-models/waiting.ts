import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelKind, WaitingModel } from '#shared/knowledge/installed-models/installed-models.ts'
import { listFolders } from '../../models/models/models.ts'

/** A folder is listed without being read: whole models are large. */
export async function listWaiting(place: string, mostBytes: number): Promise<WaitingModel[]> {
  const names = (await listFolders(place)).slice(0, 100)
  return Promise.all(names.map((name) => describe(join(place, name), name, mostBytes)))
}

async function describe(folder: string, name: string, mostBytes: number): Promise<WaitingModel> {
  const sizeOf = async (path: string) => (await stat(join(folder, path)).catch(() => null))?.size ?? null
  const model = (await sizeOf('model.onnx')) ?? (await sizeOf('onnx/model.onnx'))
  const isThere = async (path: string) => (await sizeOf(path)) !== null
  const problemOf = async () => {
    if (model === null) return 'model.onnx is missing.'
    if (model > mostBytes) return 'model.onnx is larger than what may be installed.'
    return (await isThere('tokenizer.json')) ? null : 'tokenizer.json is missing.'
  }
  const kind: ModelKind | null = (await isThere('1_Pooling/config.json')) ? 'embedding' : null
  return { name, bytes: model ?? 0, kind, has_sums: await isThere('SHA256SUMS'), problem: await problemOf() }
}
