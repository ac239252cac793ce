import type { ServerResponse } from 'node:http'
import { crc32 } from 'node:zlib'

/** One frame of an AWS event stream: lengths, headers of strings, payload, each part with its checksum. */
export function frame(headers: Record<string, string>, payload: object): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(Buffer.byteLength(value))
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7]),
        length,
        Buffer.from(value),
      ])
    }),
  )
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + head.length + body.length, 0)
  prelude.writeUInt32BE(head.length, 4)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const message = Buffer.concat([prelude, head, body])
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(message))
  return Buffer.concat([message, check])
}

export const event = (type: string, payload: object) =>
  frame({ ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }, payload)
export const said = (text: string) => event('contentBlockDelta', { contentBlockIndex: 0, delta: { text } })
export const ended = (stopReason: string) => event('messageStop', { stopReason })
export const used = (usage: object) =>
  event('metadata', {
    usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12, ...usage },
    metrics: { latencyMs: 1 },
  })
export const STREAM = { 'content-type': 'application/vnd.amazon.eventstream' }
export const streams =
  (...frames: Buffer[]) =>
  (response: ServerResponse) =>
    response.writeHead(200, STREAM).end(Buffer.concat(frames))
export const refuses = (status: number, message: string, type: string) => (response: ServerResponse) =>
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type })
    .end(JSON.stringify({ message }))
export const hi = streams(
  event('messageStart', { role: 'assistant' }),
  said('H'),
  said('i'),
  ended('end_turn'),
  used({}),
)

export const halfThen = (more: Buffer) => (response: ServerResponse) => {
  response.writeHead(200, STREAM).write(said('Half'))
  setTimeout(() => response.end(more), 100)
}
