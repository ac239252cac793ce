import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINE, engineFolder } from '../../src/server/models/models/installed/local/engine-folder.ts'

/**
 * Installs an engine that runs no model into a data folder. It answers with numbered words, each 5 ms after the other. The newest question
 * sets how: `words=20`, `ms=10` between words, `memory=300` MB to take after the tenth word.
 */
export function installScriptedEngine(dataDir: string): void {
  const folder = join(engineFolder(dataDir), 'node_modules', ENGINE)
  mkdirSync(join(folder, 'dist'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: ENGINE, type: 'module' }))
  writeFileSync(join(folder, 'dist', 'index.js'), SOURCE)
}

/** Creates the folder of a chat model that was installed and tried. */
export function anInstalledChat(modelsDir: string, name: string, { bytes = 4 } = {}): string {
  const folder = join(modelsDir, 'chats', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'model.gguf'), Buffer.alloc(bytes, 'GGUF'))
  const facts = { title: name, context_tokens: 2048, tokens_per_second: 20 }
  writeFileSync(join(folder, 'facts.json'), JSON.stringify(facts))
  return folder
}

/** Returns the words of a scripted answer. */
export const scriptedWords = (count: number): string =>
  Array.from({ length: count }, (_, at) => `word${at + 1} `).join('')

const SOURCE = `
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const taken = []
const sequence = { nextTokenIndex: 0, tokenMeter: { usedInputTokens: 0, usedOutputTokens: 0 } }
export class LlamaChat {
  async generateResponse(history, { signal, onResponseChunk }) {
    const question = history.findLast(({ type }) => type === 'user').text
    const given = (name, usual) => Number(new RegExp(name + '=(\\\\d+)').exec(question)?.[1] ?? usual)
    const last = history.at(-1)
    const said = last.type === 'model' ? last.response.filter((part) => typeof part === 'string').join('') : ''
    let response = ''
    for (let at = said.split(' ').length; at <= given('words', 5); at++) {
      await sleep(given('ms', 5))
      signal.throwIfAborted()
      const text = 'word' + at + ' '
      response += text
      sequence.tokenMeter.usedOutputTokens += 1
      onResponseChunk({ type: undefined, text, tokens: [at] })
      if (at === 10) taken.push(Buffer.alloc(given('memory', 0) * 1024 * 1024, 1))
    }
    return { response, functionCalls: [], metadata: { stopReason: 'eogToken' } }
  }
}
export const getLlama = async () => ({
  loadModel: async () => ({
    trainContextSize: 2048,
    fileInfo: { metadata: { general: { name: 'Scripted' } } },
    createContext: async ({ contextSize }) => ({ contextSize: contextSize.max, getSequence: () => sequence }),
  }),
  createGrammarForJsonSchema: async () => ({ grammar: '' }),
})
`
