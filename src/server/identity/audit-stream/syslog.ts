import type { Socket } from 'node:net'
import { connectGuarded } from '../../platform/outbound/outbound.ts'
import type { SyslogReceiver } from './receiver.ts'
import type { StreamedEntry } from './streamed-store.ts'

/** Facility 13, log audit (RFC 5424 6.2.1). */
const FACILITY = 13
const WARNING = 4
const INFORMATIONAL = 6
/** sequenceId starts again at 1 after this number (RFC 5424 7.3.1). */
const MAX_SEQUENCE_ID = 2_147_483_647
const MAX_ID_CHARACTERS = 32
const MAX_HOST_CHARACTERS = 255
const BYTE_ORDER_MARK = '\uFEFF'

/** Returns entries as syslog messages (RFC 5424) with octet counts (RFC 6587, RFC 5425). `host` is this installation. */
export function writeSyslog(entries: readonly StreamedEntry[], host: string): Buffer {
  return Buffer.concat(
    entries.map(({ text, ...entry }) => {
      const severity = entry.refused ? WARNING : INFORMATIONAL
      const sequence = ((entry.sequence - 1) % MAX_SEQUENCE_ID) + 1
      return frame({
        severity,
        at: entry.at,
        host,
        id: entry.action,
        data: `[meta sequenceId="${sequence}"]`,
        text,
      })
    }),
  )
}

/** Returns a test message without a number. */
export function writeTest(at: Date, host: string, text: string): Buffer {
  return frame({ severity: INFORMATIONAL, at: at.toISOString(), host, id: 'test', data: '-', text })
}

type Message = { severity: number; at: string; host: string; id: string; data: string; text: string }

function frame({ severity, at, host, id, data, text }: Message): Buffer {
  const head = `<${FACILITY * 8 + severity}>1 ${at} ${printable(host, MAX_HOST_CHARACTERS)} atrium - ${printable(id, MAX_ID_CHARACTERS)}`
  const message = Buffer.from(`${head} ${data} ${BYTE_ORDER_MARK}${text}`)
  return Buffer.concat([Buffer.from(`${message.length} `), message])
}

const printable = (text: string, most: number) => text.replace(/[^!-~]/g, '').slice(0, most) || '-'

/**
 * Sends messages over a connection of their own and ends it. Resolves once the receiver has read to the end and closed the connection: TCP
 * has no other confirmation. @throws the error of the connection, or one that says that it was closed early or not in time
 */
export async function sendSyslog(
  messages: Buffer,
  receiver: SyslogReceiver,
  { trusted, signal, ms }: { trusted: readonly string[]; signal: AbortSignal; ms: number },
): Promise<void> {
  const socket = connectGuarded(receiver, trusted)
  const late = AbortSignal.timeout(ms)
  const stop = () =>
    socket.destroy(signal.aborted ? signal.reason : new Error('The receiver did not answer in time.'))
  const over = AbortSignal.any([signal, late])
  over.addEventListener('abort', stop, { once: true })
  if (over.aborted) stop()
  try {
    await sendAndClose(socket, messages)
  } finally {
    over.removeEventListener('abort', stop)
    socket.destroy()
  }
}

/** Milliseconds after the messages in which a receiver that reads nothing closes the connection: two round trips within these limits. */
const MIN_PAUSE_MS = 200
const MAX_PAUSE_MS = 2_000

function sendAndClose(socket: Socket, messages: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let pause: NodeJS.Timeout | undefined
    let isSent = false
    let isConfirmed = false
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(pause)
      if (isConfirmed) resolve()
      else reject(new Error('The receiver closed the connection before it had read everything.'))
    })
    socket.on('end', () => {
      isConfirmed = isSent
    })
    // Receivers of syslog send nothing. Reading is what notices their end.
    socket.resume()
    const began = performance.now()
    socket.write(messages, () => {
      // A proxy without a server behind it accepts connections and closes them. Its end must not look like an answer to this one.
      const ms = Math.min(Math.max(2 * (performance.now() - began), MIN_PAUSE_MS), MAX_PAUSE_MS)
      pause = setTimeout(() => {
        socket.end(() => {
          isSent = true
        })
      }, ms)
    })
  })
}
