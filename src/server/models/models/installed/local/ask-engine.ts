import { connect, type Socket } from 'node:net'
import { sayTrouble } from '#shared/models/connections/provider-trouble.ts'
import { ModelError } from '../../port.ts'
import { type FromEngine, readLines, type ToEngine } from './frames.ts'

/** Connects to the process of a model. Returns null when no process listens on the socket. */
export async function openSocket(path: string): Promise<Socket | null> {
  const socket = connect(path)
  const { promise, resolve } = Promise.withResolvers<Socket | null>()
  socket.once('connect', () => resolve(socket))
  socket.once('error', () => resolve(null))
  return promise
}

/** Sends one request and passes on each frame. Resolves at the frame `done`. @throws ModelError; the reason of `signal` */
export async function askEngine(
  socket: Socket,
  request: ToEngine,
  signal: AbortSignal,
  onFrame: (frame: FromEngine) => void,
): Promise<void> {
  if (signal.aborted || socket.destroyed) {
    socket.destroy()
    throw signal.aborted ? signal.reason : ended()
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  socket.on(
    'data',
    readLines((line) => {
      const frame: FromEngine = JSON.parse(line)
      if (frame.kind === 'done') return resolve()
      if (frame.kind === 'failed')
        return reject(
          new ModelError(frame.error, sayTrouble(frame.error, frame.reason), { said: frame.reason }),
        )
      try {
        onFrame(frame)
      } catch (error) {
        reject(error)
      }
    }),
  )
  socket.on('error', () => undefined)
  socket.once('close', () => reject(ended()))
  try {
    socket.write(`${JSON.stringify(request)}\n`)
    await promise
  } finally {
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}

const ended = () => new ModelError('interrupted', sayTrouble('interrupted', 'the process of the model ended'))
