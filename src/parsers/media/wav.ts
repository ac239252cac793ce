import { open } from 'node:fs/promises'
import { Unreadable } from '../elements/port.ts'
import type { Piece } from './sound.ts'

const PCM = 1
const FLOAT = 3
const EXTENSIBLE = 0xfffe
const PIECE_BYTES = 256 * 1024

type Wave = { kind: number; channels: number; rate: number; bits: number; start: number; length: number }

/** Returns the sound of a WAVE file of 8- to 32-bit integers or 32-bit floats; null for other encodings. @throws Unreadable if damaged */
export async function readWave(path: string): Promise<AsyncIterable<Piece> | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const read = async (at: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
      return buffer.subarray(0, bytesRead)
    }
    const wave = await findWave(read, size)
    const isKnown =
      wave.kind === PCM ? [8, 16, 24, 32].includes(wave.bits) : wave.kind === FLOAT && wave.bits === 32
    return isKnown ? pieces(path, wave) : null
  } finally {
    await file.close()
  }
}

async function findWave(read: (at: number, length: number) => Promise<Buffer>, size: number): Promise<Wave> {
  let format: Pick<Wave, 'kind' | 'channels' | 'rate' | 'bits'> | null = null
  for (let at = 12; at + 8 <= size; ) {
    const head = await read(at, 8)
    const name = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    if (name === 'fmt ') format = readFormat(await read(at + 8, Math.min(length, 40)))
    // A stream that was written on the fly does not declare its length.
    if (name === 'data' && format)
      return { ...format, start: at + 8, length: Math.min(length, size - at - 8) }
    at += 8 + length + (length % 2)
  }
  throw new Unreadable('damaged')
}

function readFormat(bytes: Buffer) {
  if (bytes.length < 16) throw new Unreadable('damaged')
  const kind = bytes.readUInt16LE(0)
  const format = {
    channels: bytes.readUInt16LE(2),
    rate: bytes.readUInt32LE(4),
    bits: bytes.readUInt16LE(14),
  }
  const isSound =
    format.channels > 0 && format.channels <= 32 && format.rate >= 1_000 && format.rate <= 768_000
  if (!isSound) throw new Unreadable('damaged')
  return { ...format, kind: kind === EXTENSIBLE && bytes.length >= 26 ? bytes.readUInt16LE(24) : kind }
}

async function* pieces(
  path: string,
  { kind, channels, rate, bits, start, length }: Wave,
): AsyncGenerator<Piece> {
  const width = bits / 8
  const block = width * channels
  const file = await open(path)
  try {
    const most = Math.max(block, PIECE_BYTES - (PIECE_BYTES % block))
    for (let at = 0; at + block <= length; at += most) {
      const wanted = Math.min(most, length - at)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, start + at)
      const count = Math.floor(bytesRead / block)
      if (count === 0) return
      const sample = (n: number, channel: number) =>
        readSample(buffer, n * block + channel * width, kind, bits)
      yield {
        rate,
        channels: Array.from({ length: channels }, (_, channel) =>
          Float32Array.from({ length: count }, (__, n) => sample(n, channel)),
        ),
      }
    }
  } finally {
    await file.close()
  }
}

function readSample(bytes: Buffer, at: number, kind: number, bits: number): number {
  if (kind === FLOAT) return bytes.readFloatLE(at)
  if (bits === 8) return (bytes.readUInt8(at) - 128) / 128
  return bytes.readIntLE(at, bits / 8) / 2 ** (bits - 1)
}
