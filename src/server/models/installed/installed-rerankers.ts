import { join } from 'node:path'
import {
  asWanted,
  type ModelProcess,
  notAvailable,
  type Said,
  startModelProcess,
} from '../process/model-process.ts'
import { createTurns, type Turns } from '../process/turns.ts'
import { listFolders } from './model-files.ts'
import type { FromRerankChild, ToRerankChild } from './rerank-child.ts'

/** Cross-encoders that an administrator has put into folders: `model.onnx`, `tokenizer.json` and `SHA256SUMS`. */
export type InstalledRerankers = {
  names(): Promise<string[]>
  /** How well each text answers a question, from 0 to 1, in their order. @throws ModelError; the reason of `signal` */
  rate(name: string, question: string, texts: string[], signal: AbortSignal): Promise<number[]>
  close(): void
}

type RerankProcess = ModelProcess<ToRerankChild, FromRerankChild | Said>

/** Longer than any 512 tokens of language. */
const CHARACTERS_OF_A_TEXT = 8_000

/** `folder`: it holds a folder for each. A process ends when it had nothing to do for `idleMs`. */
export function createInstalledRerankers(folder: string, idleMs = 120_000): InstalledRerankers {
  const opened = new Map<string, Turns<RerankProcess>>()
  let isClosed = false
  const start = async (name: string): Promise<RerankProcess> => {
    if (isClosed) throw notAvailable('the server is being stopped')
    const script = new URL('./rerank-child.ts', import.meta.url)
    const started = await startModelProcess<ToRerankChild, FromRerankChild>(script, join(folder, name))
    if (!started) throw notAvailable('its process did not begin as it should')
    return started
  }
  const turnsOf = (name: string) => {
    const turns = opened.get(name) ?? createTurns(() => start(name), idleMs)
    opened.set(name, turns)
    return turns
  }
  return {
    names: () => listFolders(folder),
    rate: (name, question, texts, signal) =>
      turnsOf(name).inTurns(
        texts,
        signal,
        async (process, some) =>
          asWanted(await process.ask({ question: cut(question), texts: some.map(cut) }), 'rated').rates,
      ),
    close: () => {
      isClosed = true
      for (const turns of opened.values()) turns.end()
    },
  }
}

const cut = (text: string) => text.slice(0, CHARACTERS_OF_A_TEXT)
