import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ENGINE } from './engine-folder.ts'

/** The part of the engine's API that is used. The package is not a dependency, so its own types are not available. */
export type HistoryItem =
  | { type: 'system'; text: string }
  | { type: 'user'; text: string }
  | { type: 'model'; response: (string | HistoryCall)[] }
export type HistoryCall = { type: 'functionCall'; name: string; params: unknown; result: unknown }

export type GrammarSchema = Record<string, unknown>
export type Grammar = { readonly grammar: string }
export type Functions = Record<string, { description: string; params: GrammarSchema }>

type Answer = {
  response: string
  functionCalls?: { functionName: string; params: unknown }[]
  metadata: { stopReason: string }
}
export type Sampling = {
  temperature: number
  topP: number
  topK?: number
  seed: number
  repeatPenalty: { penalty: number; lastTokens: number; frequencyPenalty?: number; presencePenalty?: number }
}
type AnswerOptions = Sampling & {
  onResponseChunk: (chunk: { type: 'segment' | undefined; text: string; tokens: number[] }) => void
  signal: AbortSignal
  maxTokens: number
  functions?: Functions | undefined
  maxParallelFunctionCalls?: number | undefined
  grammar?: Grammar | undefined
}
export type Chat = { generateResponse(history: HistoryItem[], options: AnswerOptions): Promise<Answer> }

type Sequence = {
  readonly nextTokenIndex: number
  readonly tokenMeter: { readonly usedInputTokens: number; readonly usedOutputTokens: number }
}
type Context = { readonly contextSize: number; getSequence(): Sequence }
type Model = {
  readonly trainContextSize: number
  readonly fileInfo: { metadata: { general?: { name?: string } } }
  createContext(options: object): Promise<Context>
}
type Llama = {
  loadModel(options: { modelPath: string }): Promise<Model>
  createGrammarForJsonSchema(schema: GrammarSchema): Promise<Grammar>
}
type Module = {
  getLlama(options: object): Promise<Llama>
  LlamaChat: new (options: { contextSequence: Sequence }) => Chat
}

/** A loaded model with one chat sequence. */
export type OpenModel = {
  llama: Llama
  chat: Chat
  sequence: Sequence
  context_tokens: number
  name: string | null
}

type Terms = { engine: string; file: string; threads: number; contextMax: number }

/** Loads a GGUF file with the engine in a folder. The window is smaller than `contextMax` if memory is short. */
export async function openModel({ engine, file, threads, contextMax }: Terms): Promise<OpenModel> {
  const entry = join(engine, 'node_modules', ENGINE, 'dist', 'index.js')
  const { getLlama, LlamaChat }: Module = await import(pathToFileURL(entry).href)
  const llama = await getLlama({
    ...{ gpu: false, build: 'never', skipDownload: true, logLevel: 'disabled', maxThreads: threads },
  })
  const model = await llama.loadModel({ modelPath: file })
  const max = Math.min(contextMax, model.trainContextSize)
  const context = await model.createContext({
    ...{ contextSize: { min: Math.min(1_024, max), max }, sequences: 1, batchSize: 256, threads },
  })
  const sequence = context.getSequence()
  return {
    ...{ llama, sequence, chat: new LlamaChat({ contextSequence: sequence }) },
    context_tokens: context.contextSize,
    name: model.fileInfo.metadata.general?.name ?? null,
  }
}
