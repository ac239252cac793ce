import { stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { AvailableModel } from '#shared/models/connections/connections.ts'
import { sayTrouble } from '#shared/models/connections/provider-trouble.ts'
import type { Config } from '../../../../platform/config/config.ts'
import { type ModelCall, ModelError, type StreamModel } from '../../port.ts'
import { type AnswerLimits, defaultLimits } from '../../wire/allowance.ts'
import { openGate } from '../../wire/gate.ts'
import { localPatience, withPatience } from '../../wire/patience.ts'
import { listFolders } from '../model-files.ts'
import { askEngine, openSocket } from './ask-engine.ts'
import { type ChatFacts, MODEL_FILE, readChatFacts, stampOfChat } from './chat-folder.ts'
import { engineFolder, hasEngine } from './engine-folder.ts'
import type { FromEngine, ToEngine } from './frames.ts'
import { socketPath } from './socket-path.ts'
import { type LocalProcess, sayExcess, startLocalProcess } from './start-child.ts'

/** Chat models that run on this machine. Their ids are `local/NAME`. */
export type LocalModels = {
  list(): Promise<AvailableModel[]>
  /** Returns the facts of an offered model; null for any other id. */
  find(modelId: string): Promise<ChatFacts | null>
  /** Streams one answer. `call.model` is the name of the folder. */
  stream: StreamModel
  /** Measures the window of a model and, for `milliseconds`, its speed. @throws ModelError */
  measure(name: string, milliseconds: number, signal: AbortSignal): Promise<ChatFacts>
  close(): void
}

type Settings = Pick<Config, 'dataDir' | 'modelsDir' | 'ATRIUM_LOCAL_MODEL_MB' | 'ATRIUM_LOCAL_MODEL_TOKENS'>

const PREFIX = 'local/'
const IDLE_MS = 5 * 60_000
/** How often an answer is resumed after its process ended. */
const MAX_CONTINUED = 2
const MEGABYTE = 1024 * 1024

/** Returns whether an id has the form of a local model's, also after the model was removed. */
export const isLocalId = (modelId: string): boolean => modelId.startsWith(PREFIX)

/** Returns the parent folder of the chat models. */
export const chatsFolder = ({ modelsDir }: Pick<Config, 'modelsDir'>): string => join(modelsDir, 'chats')

/** Serves the chat models in `folder`. The process of a model ends after `idleMs` without a request. */
export function createLocalModels(
  settings: Settings,
  {
    folder = chatsFolder(settings),
    idleMs = IDLE_MS,
    limits = defaultLimits,
  }: {
    folder?: string
    idleMs?: number
    limits?: AnswerLimits
  } = {},
): LocalModels {
  const started = new Map<string, Promise<LocalProcess>>()
  let isClosed = false

  const maxBytes = settings.ATRIUM_LOCAL_MODEL_MB * MEGABYTE
  const start = async (name: string, socket: string): Promise<void> => {
    if (isClosed) throw notAvailable('the server is stopping')
    const { dataDir, ATRIUM_LOCAL_MODEL_TOKENS: contextMax } = settings
    if (!(await hasEngine(dataDir)))
      throw notAvailable('its engine is not installed; a super admin installs it on the page Models')
    const terms = { engine: engineFolder(dataDir), file: join(folder, name, MODEL_FILE), socket }
    // The whole file is in memory while the model runs.
    if ((await sizeOf(terms.file)) > maxBytes) throw notAvailable(sayExcess(maxBytes))
    const threads = Math.max(1, Math.min(8, availableParallelism() - 1))
    const starting =
      started.get(socket) ?? startLocalProcess({ ...terms, threads, contextMax, idleMs }, maxBytes)
    started.set(socket, starting)
    try {
      await starting
    } finally {
      // A process that ended is started again; another process that serves the model is found through its socket.
      if (started.get(socket) === starting && !(await isLive(starting))) started.delete(socket)
    }
  }
  const socketOf = async (name: string): Promise<string> =>
    socketPath(settings.dataDir, `${join(folder, name)} ${await stampOfChat(join(folder, name))}`)
  /** Connects to the process of the model, which any process of this machine may have started. */
  const connect = async (name: string, socket: string): Promise<Socket> => {
    for (let attempt = 0; attempt < 3; attempt++) {
      const open = (await openSocket(socket)) ?? (await reopen(socket))
      if (open) return open
      await start(name, socket)
    }
    throw new ModelError('interrupted', sayTrouble('interrupted', 'the process of the model ended'))
  }
  /** Waits for a process that is starting. Ends one that is ready but refuses connections, and returns null. */
  const reopen = async (socket: string): Promise<Socket | null> => {
    const starting = started.get(socket)
    if (!starting) return null
    const process = await starting
    const open = await openSocket(socket)
    if (open) return open
    // Its exit may be reported only after its connections were closed.
    await process.end()
    if (started.get(socket) === starting) started.delete(socket)
    return null
  }
  const ask = async (
    name: string,
    request: ToEngine,
    signal: AbortSignal,
    onFrame: (frame: FromEngine) => void,
  ) => {
    const socket = await socketOf(name)
    const connection = await connect(name, socket)
    const process = await started.get(socket)?.catch(() => null)
    try {
      await askEngine(connection, request, signal, onFrame)
    } catch (error) {
      const excess = process?.excess()
      throw excess && !signal.aborted ? notAvailable(excess) : error
    }
  }

  const find = async (modelId: string): Promise<ChatFacts | null> => {
    const name = modelId.slice(PREFIX.length)
    if (!isLocalId(modelId) || !(await listFolders(folder)).includes(name)) return null
    return readChatFacts(join(folder, name))
  }

  return {
    list: async () => {
      const found = await Promise.all(
        (await listFolders(folder)).map(async (name) => ({ name, facts: await find(PREFIX + name) })),
      )
      return found.flatMap(({ name, facts }) => (facts ? [present(name, facts)] : []))
    },
    find,
    stream: withPatience(
      localPatience,
      async (call, signal, watch, give) => {
        const both = AbortSignal.any([signal, watch.signal])
        let isWaiting = false
        const onFrame = (frame: FromEngine) => {
          watch.stamp()
          if (frame.kind === 'place' && (frame.place > 0 || isWaiting)) {
            isWaiting = frame.place > 0
            give({ type: 'waiting', limit: isWaiting ? { of: 'turn', ahead: frame.place } : null })
          }
          if (frame.kind === 'part') give(frame.part)
        }
        await answerOn(call, both, onFrame, ask)
      },
      openGate({ provider: 'local', base_url: '', api_key: null }),
      limits,
    ),
    measure: async (name, milliseconds, signal) => {
      const found: { facts: ChatFacts | null } = { facts: null }
      await ask(name, { kind: 'try', milliseconds }, signal, (frame) => {
        if (frame.kind !== 'tried') return
        const { name: title, context_tokens, tokens_per_second } = frame
        found.facts = { title, context_tokens, tokens_per_second }
      })
      if (!found.facts) throw notAvailable('it did not answer its trial')
      return found.facts
    },
    close: () => {
      isClosed = true
      for (const process of started.values()) process.then((one) => one.end()).catch(() => {})
    },
  }
}

type Ask = (
  name: string,
  request: ToEngine,
  signal: AbortSignal,
  onFrame: (frame: FromEngine) => void,
) => Promise<void>

/** Requests an answer. When the process ends in the middle of plain text, a new process resumes it. */
async function answerOn(
  call: ModelCall,
  signal: AbortSignal,
  onFrame: (frame: FromEngine) => void,
  ask: Ask,
): Promise<void> {
  let said = ''
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask(call.model, { kind: 'answer', call, said }, signal, (frame) => {
        if (frame.kind === 'part' && frame.part.type === 'text') said += frame.part.text
        onFrame(frame)
      })
    } catch (error) {
      const isCut = error instanceof ModelError && error.kind === 'interrupted'
      // JSON written under a grammar cannot be resumed.
      if (!isCut || said === '' || call.output || attempt >= MAX_CONTINUED) throw error
    }
  }
}

async function isLive(process: Promise<LocalProcess> | undefined): Promise<boolean> {
  return (await process?.catch(() => null))?.isLive() ?? false
}

function present(name: string, { title, context_tokens }: ChatFacts): AvailableModel {
  return {
    ...{ id: PREFIX + name, name: title ?? name, provider: 'local', provider_name: 'This machine' },
    ...{ context_tokens, max_output_tokens: null, input_price: 0, output_price: 0 },
    ...{ local: true, is_default: false },
    tuning: ['temperature', 'length'],
  }
}

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => null))?.size ?? 0

const notAvailable = (reason: string) => new ModelError('not_available', sayTrouble('not_available', reason))
