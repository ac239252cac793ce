import { codeUrl } from '../../../platform/process/checkout.ts'
import { asWanted } from '../process/model-process.ts'
import { createFolderProcesses } from './folder-processes.ts'
import { listFolders } from './model-files.ts'
import type { FromRerankChild, ToRerankChild } from './rerank-child.ts'

/** Cross-encoders that an administrator placed in folders: `model.onnx`, `tokenizer.json` and `SHA256SUMS`. */
export type InstalledRerankers = {
  names(): Promise<string[]>
  /** Returns how well each text answers the question, from 0 to 1, in order. @throws ModelError; the reason of `signal` */
  rate(name: string, question: string, texts: string[], signal: AbortSignal): Promise<number[]>
  close(): void
}

/** More characters than 512 tokens of text have. */
const CHARACTERS_OF_A_TEXT = 8_000

/** `folder` contains one folder per model. A process ends after `idleMs` without work. */
export function createInstalledRerankers(folder: string, idleMs = 120_000): InstalledRerankers {
  const script = codeUrl('src/server/models/models/installed/rerank-child.ts')
  const processes = createFolderProcesses<ToRerankChild, FromRerankChild>(script, folder, idleMs)
  return {
    names: () => listFolders(folder),
    rate: async (name, question, texts, signal) =>
      (await processes.turnsOf(name)).inTurns(
        texts,
        signal,
        async (process, some) =>
          asWanted(await process.ask({ question: cut(question), texts: some.map(cut) }), 'rated').rates,
      ),
    close: processes.close,
  }
}

const cut = (text: string) => text.slice(0, CHARACTERS_OF_A_TEXT)
