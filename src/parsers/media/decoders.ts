import { createReadStream } from 'node:fs'
import type { Piece } from './sound.ts'

type Decoded = { channelData: Float32Array[]; sampleRate: number }
type Decoder = {
  ready: Promise<void>
  decode(bytes: Uint8Array): Decoded | Promise<Decoded>
  flush?(): Promise<Decoded>
  free(): void
}

const PIECE_BYTES = 64 * 1024

/** Decoders that need no system program. Their packages contain WebAssembly. */
const decoders: Record<string, () => Promise<Decoder>> = {
  mp3: async () => new (await import('mpg123-decoder')).MPEGDecoder(),
  flac: async () => new (await import('@wasm-audio-decoders/flac')).FLACDecoder(),
  ogg: async () => new (await import('@wasm-audio-decoders/ogg-vorbis')).OggVorbisDecoder(),
}

export const isDecodedHere = (format: string): boolean => format in decoders

/** Yields the sound of an mp3, FLAC or Ogg Vorbis file. Ends where decoding fails. */
export async function* decodeHere(path: string, format: string): AsyncGenerator<Piece> {
  const decoder = await decoders[format]?.()
  if (!decoder) return
  await decoder.ready
  try {
    yield* piecesOf(path, decoder)
  } catch {
    // Opus in Ogg, or bytes that are not sound.
  } finally {
    decoder.free()
  }
}

async function* piecesOf(path: string, decoder: Decoder): AsyncGenerator<Piece> {
  for await (const bytes of createReadStream(path, { highWaterMark: PIECE_BYTES }))
    yield* pieceOf(await decoder.decode(bytes))
  if (decoder.flush) yield* pieceOf(await decoder.flush())
}

function* pieceOf({ channelData, sampleRate }: Decoded): Generator<Piece> {
  if ((channelData[0]?.length ?? 0) > 0) yield { channels: channelData, rate: sampleRate }
}
