import { connect, type Socket } from 'node:net'

/** One request on a separate socket, answered by an event stream. */
export type WireRequest = { url: string; token: string | null; body: string | null; lastId: string | null }

type Callbacks = {
  /** Called with whole frames as they arrived, without their final empty line. */
  frames: (text: string) => void
  /** Called once: null if the server ended the answer properly. */
  ended: (error: string | null) => void
}

/**
 * Reads an event stream with minimal work, so that many readers cost little: a bare socket, bytes as Latin-1, and only
 * chunk lengths and frame ends are parsed.
 */
export function openWire({ url, token, body, lastId }: WireRequest, { frames, ended }: Callbacks): Socket {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.write(
    [
      `${body === null ? 'GET' : 'POST'} ${pathname} HTTP/1.1`,
      `host: ${hostname}:${port}`,
      'accept: text/event-stream',
      ...(token ? [`authorization: Bearer ${token}`] : []),
      ...(lastId ? [`last-event-id: ${lastId}`] : []),
      ...(body === null
        ? []
        : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
      '',
      body ?? '',
    ].join('\r\n'),
  )
  let isOver = false
  const end = (error: string | null) => {
    if (isOver) return
    isOver = true
    socket.destroy()
    ended(error)
  }
  let head: string | null = ''
  const chunks = createChunks()
  let rest = ''
  socket.on('data', (bytes) => {
    let text = bytes.toString('latin1')
    if (head !== null) {
      head += text
      const at = head.indexOf('\r\n\r\n')
      if (at < 0) return
      if (!head.startsWith('HTTP/1.1 200')) return end(head.slice(0, head.indexOf('\r\n')))
      text = head.slice(at + 4)
      head = null
    }
    rest += chunks.read(text)
    const at = rest.lastIndexOf('\n\n')
    if (at >= 0) {
      frames(rest.slice(0, at))
      rest = rest.slice(at + 2)
    }
    if (chunks.isOver()) end(null)
  })
  socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  socket.on('close', () => end('closed before its end'))
  return socket
}

/** Removes the chunk lengths of a chunked answer. */
function createChunks() {
  /** Remaining characters of the current chunk with its line end; 0 before a length. */
  let left = 0
  let line = ''
  let isOver = false
  return {
    isOver: () => isOver,
    read: (text: string): string => {
      let said = ''
      for (let at = 0; at < text.length && !isOver; ) {
        if (left > 0) {
          const taken = Math.min(left, text.length - at)
          // The last two characters of a chunk are its line end.
          said += text.slice(at, at + Math.max(0, Math.min(taken, left - 2)))
          left -= taken
          at += taken
          continue
        }
        const end = text.indexOf('\n', at)
        if (end < 0) {
          line += text.slice(at)
          break
        }
        const length = Number.parseInt(line + text.slice(at, end), 16)
        line = ''
        at = end + 1
        if (length === 0) isOver = true
        left = length + 2
      }
      return said
    },
  }
}
