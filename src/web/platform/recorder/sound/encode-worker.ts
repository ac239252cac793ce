import { startMp3 } from './mp3.ts'

/** Messages to the worker: the rate first, then samples, then the end. */
export type EncodeRequest = { sampleRate: number } | { samples: Float32Array } | { isOver: true }

let mp3: ReturnType<typeof startMp3> | null = null

self.onmessage = ({ data }: MessageEvent<EncodeRequest>) => {
  if ('sampleRate' in data) mp3 = startMp3(data.sampleRate)
  else if ('samples' in data) mp3?.add(data.samples)
  else self.postMessage(mp3?.finish())
}
