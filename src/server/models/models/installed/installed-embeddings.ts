import { join } from 'node:path'
import type { OfferedEmbedding } from '#shared/knowledge/embedding-model/embedding-model.ts'
import { codeUrl } from '../../../platform/process/checkout.ts'
import type { TextRole } from '../port.ts'
import { asWanted, notAvailable } from '../process/model-process.ts'
import { readEmbeddingFacts } from './embedding-folder.ts'
import { createFolderProcesses } from './folder-processes.ts'
import type { FromInstalledChild, ToInstalledChild } from './installed-embed-child.ts'
import { listFolders } from './model-files.ts'

/** Embedding models that an administrator placed in folders. Their ids are `installed/NAME`. */
export type InstalledEmbeddings = {
  /** Returns all models, each with its problem when it cannot be used. */
  list(): Promise<OfferedEmbedding[]>
  has(modelId: string): boolean
  /** @throws ModelError; the reason of `signal` */
  embed(modelId: string, texts: string[], role: TextRole, signal: AbortSignal): Promise<Float32Array[]>
  close(): void
}

const PREFIX = 'installed/'
/** More characters than the longest text that a model reads has. */
const CHARACTERS_OF_A_TEXT = 16_000

/** `folder` contains one folder per model. A process ends after `idleMs` without work. */
export function createInstalledEmbeddings(folder: string, idleMs = 120_000): InstalledEmbeddings {
  const script = codeUrl('src/server/models/models/installed/installed-embed-child.ts')
  const processes = createFolderProcesses<ToInstalledChild, FromInstalledChild>(script, folder, idleMs)
  const describe = async (name: string): Promise<OfferedEmbedding> => {
    const known = { id: PREFIX + name, name, provider_name: null }
    try {
      const { dimensions, max_tokens } = await readEmbeddingFacts(join(folder, name))
      return { ...known, dimensions, max_tokens, problem: null }
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      return { ...known, dimensions: null, max_tokens: null, problem }
    }
  }
  return {
    list: async () => Promise.all((await listFolders(folder)).map(describe)),
    has: (modelId) => modelId.startsWith(PREFIX),
    embed: async (modelId, texts, role, signal) => {
      const name = modelId.slice(PREFIX.length)
      if (!(await listFolders(folder)).includes(name)) throw notAvailable(`there is no folder ${name}`)
      const { prompts } = await readEmbeddingFacts(join(folder, name)).catch((error) => {
        throw notAvailable(error.message)
      })
      const asked = texts.map((text) => (prompts[role] + text).slice(0, CHARACTERS_OF_A_TEXT))
      return (await processes.turnsOf(name)).inTurns(
        asked,
        signal,
        async (process, some) => asWanted(await process.ask({ texts: some }), 'embedded').vectors,
      )
    },
    close: processes.close,
  }
}
