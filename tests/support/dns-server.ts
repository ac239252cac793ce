import { createSocket } from 'node:dgram'

/** Starts a local DNS server that answers TXT queries: `texts` by name, and no answer for `silent` names. */
export async function startDnsServer() {
  const texts = new Map<string, string[]>()
  const silent = new Set<string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query)
    if (silent.has(name)) return
    const found = texts.get(name)
    const header = Buffer.from(query.subarray(0, 12))
    // A response, recursion available; 3 is NXDOMAIN.
    header.writeUInt16BE(0x8180 | (found ? 0 : 3), 2)
    for (const [at, count] of [
      [4, 1],
      [6, found?.length ?? 0],
      [8, 0],
      [10, 0],
    ] as const)
      header.writeUInt16BE(count, at)
    const answers = (found ?? []).map(writeText)
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...answers]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    texts,
    silent,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

/** Returns the queried name, and where it ends. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** Returns a TXT record for the queried name, with its text in pieces of at most 20 bytes. */
function writeText(text: string): Buffer {
  const pieces = text.match(/.{1,20}/g) ?? ['']
  const data = Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece)])))
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 1, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
