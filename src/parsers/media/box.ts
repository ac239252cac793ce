import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input, type InputAudioTrack } from 'mediabunny'
import { MPEGDecoder } from 'mpg123-decoder'
import { OpusDecoder } from 'opus-decoder'
import type { Piece } from './sound.ts'

/** The streams of a film or recording, as declared by the file. */
export type Box = {
  seconds: number
  hasPicture: boolean
  /** Decoded sound. Null if the file has none; empty if no package supports its codec. */
  sound: AsyncGenerator<Piece> | null
  close: () => void
}

/** Opens an audio or video file (WebM, Matroska, MP4, QuickTime, Ogg). Returns null if it has another format or is truncated. */
export async function openBox(path: string): Promise<Box | null> {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS })
  try {
    const [picture, track] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
    return {
      seconds: await input.computeDuration(),
      hasPicture: picture !== null,
      sound: track && piecesOf(track),
      close: () => input.dispose(),
    }
  } catch {
    input.dispose()
    return null
  }
}

async function* piecesOf(track: InputAudioTrack): AsyncGenerator<Piece> {
  const decoder = await decoderOf(track)
  if (!decoder) return
  await decoder.ready
  try {
    for await (const { data } of new EncodedPacketSink(track).packets()) {
      const { channelData, sampleRate } = decoder.decode(data)
      if ((channelData[0]?.length ?? 0) > 0) yield { channels: channelData, rate: sampleRate }
    }
  } finally {
    decoder.free()
  }
}

/** Returns null for unsupported codecs, such as AAC: no package decodes it without a system program or a separate licence. */
async function decoderOf(track: InputAudioTrack) {
  if (track.codec === 'mp3') {
    const decoder = new MPEGDecoder()
    return {
      ready: decoder.ready,
      decode: (data: Uint8Array) => decoder.decode(data),
      free: () => decoder.free(),
    }
  }
  if (track.codec !== 'opus') return null
  const decoder = new OpusDecoder(layoutOf(track, (await track.getDecoderConfig())?.description))
  return {
    ready: decoder.ready,
    decode: (data: Uint8Array) => decoder.decodeFrame(data),
    free: () => decoder.free(),
  }
}

/** Returns the channels of Opus. The header of files with more than two also maps channels to streams (RFC 7845, 5.1). */
function layoutOf({ numberOfChannels: channels }: InputAudioTrack, head: unknown) {
  const bytes = ArrayBuffer.isView(head)
    ? new Uint8Array(head.buffer, head.byteOffset, head.byteLength)
    : null
  if (!bytes || channels <= 2 || bytes.length < 21 + channels) return { channels: Math.min(2, channels) }
  return {
    ...{ channels, streamCount: bytes[19] ?? 1, coupledStreamCount: bytes[20] ?? 0 },
    channelMappingTable: [...bytes.subarray(21, 21 + channels)],
  }
}
