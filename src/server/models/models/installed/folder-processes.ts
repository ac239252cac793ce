import { join } from 'node:path'
import { type ModelProcess, notAvailable, type Said, startModelProcess } from '../process/model-process.ts'
import { createTurns, type Turns } from '../process/turns.ts'
import { stampOf } from './model-files.ts'

/** Processes of installed models: one per model in use, restarted when its files change. */
type FolderProcesses<In, Out> = {
  /** @throws ModelError */
  turnsOf(name: string): Promise<Turns<ModelProcess<In, Out | Said>>>
  close(): void
}

/** `folder` contains one folder per model. A process ends after `idleMs` without work. */
export function createFolderProcesses<In extends object, Out extends { kind: string }>(
  script: URL,
  folder: string,
  idleMs: number,
): FolderProcesses<In, Out> {
  const opened = new Map<string, { turns: Turns<ModelProcess<In, Out | Said>>; stamp: string }>()
  let isClosed = false
  const start = async (name: string) => {
    if (isClosed) throw notAvailable('the server is stopping')
    const started = await startModelProcess<In, Out>(script, join(folder, name))
    if (!started) throw notAvailable('its process did not start')
    return started
  }
  return {
    turnsOf: async (name) => {
      const stamp = await stampOf(join(folder, name))
      const known = opened.get(name)
      if (known?.stamp === stamp) return known.turns
      known?.turns.end()
      const turns = createTurns(() => start(name), idleMs)
      opened.set(name, { turns, stamp })
      return turns
    },
    close: () => {
      isClosed = true
      for (const { turns } of opened.values()) turns.end()
    },
  }
}
