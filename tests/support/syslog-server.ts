import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { createServer as createSecureServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { generate } from 'selfsigned'

/** A syslog server that reads messages with octet counts. */
export type SyslogServer = {
  port: number
  /** Whole messages in their order of arrival. */
  messages: () => string[]
  /** Resets the next connection after its first bytes. */
  breakNext: () => void
  /** Makes this process trust the certificate of the server. */
  trust: () => void
  clear: () => void
  close: () => Promise<void>
}

export async function startSyslogServer({ isSecure = false } = {}): Promise<SyslogServer> {
  let received = Buffer.alloc(0)
  let isBreaking = false
  const sockets = new Set<Socket>()
  const read = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      if (isBreaking) {
        isBreaking = false
        socket.resetAndDestroy()
        return
      }
      received = Buffer.concat([received, bytes])
    })
  }
  const own = isSecure ? await certificate() : null
  const pair = own && { key: own.private, cert: own.cert }
  const server = pair ? createSecureServer(pair, read) : createServer(read)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    messages: () => split(received),
    breakNext: () => {
      isBreaking = true
    },
    trust: () => setDefaultCACertificates([...getCACertificates('default'), pair?.cert ?? '']),
    clear: () => {
      received = Buffer.alloc(0)
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** A certificate for `localhost`. */
function certificate() {
  const altNames = [{ type: 2 as const, value: 'localhost' }]
  return generate([{ name: 'commonName', value: 'localhost' }], {
    ...{ keySize: 2048, algorithm: 'sha256' },
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames },
    ],
  })
}

function split(bytes: Buffer): string[] {
  const messages: string[] = []
  let at = 0
  while (at < bytes.length) {
    const space = bytes.indexOf(' ', at)
    const length = Number(bytes.subarray(at, space).toString())
    messages.push(bytes.subarray(space + 1, space + 1 + length).toString())
    at = space + 1 + length
  }
  return messages
}
