import type { EncodeRequest } from './encode-worker.ts'
import tapUrl from './tap-worklet.ts?worker&url'

export type Capture = {
  /** Returns the name of the microphone. */
  device: () => string
  pause: () => void
  resume: () => void
  /** Switches to another microphone. */
  use: (deviceId: string) => Promise<void>
  /** Releases the microphone and returns the mp3. */
  stop: () => Promise<Blob>
  /** Releases the microphone and discards the recording. */
  discard: () => void
}

/** Returns whether this browser, at this address, can request microphones. */
export const canCapture = () => typeof navigator.mediaDevices?.getUserMedia === 'function'

/**
 * Records the microphone as mp3. `onLevel` receives the level of each twentieth of a second, from 0 to 1.
 * @throws DOMException `NotAllowedError` if the person or the browser does not allow it, others if there is no microphone
 */
export async function startCapture(onLevel: (level: number) => void): Promise<Capture> {
  let stream = await listen()
  const context = new AudioContext()
  await context.audioWorklet.addModule(tapUrl)
  const tap = new AudioWorkletNode(context, 'tap', {
    numberOfOutputs: 0,
    channelCount: 1,
    channelCountMode: 'explicit',
  })
  const encoder = new Worker(new URL('./encode-worker.ts', import.meta.url), { type: 'module', name: 'mp3' })
  const tell = (request: EncodeRequest, transfer: Transferable[] = []) =>
    encoder.postMessage(request, transfer)
  let source = context.createMediaStreamSource(stream)
  let isPaused = false
  tell({ sampleRate: context.sampleRate })
  tap.port.onmessage = ({ data: samples }: MessageEvent<Float32Array<ArrayBuffer>>) => {
    if (isPaused) return
    onLevel(loudness(samples))
    tell({ samples }, [samples.buffer])
  }
  source.connect(tap)
  const letGo = () => {
    for (const track of stream.getTracks()) track.stop()
    void context.close()
  }
  return {
    device: () => stream.getAudioTracks()[0]?.label ?? '',
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
    },
    use: async (deviceId) => {
      const next = await listen(deviceId)
      for (const track of stream.getTracks()) track.stop()
      source.disconnect()
      stream = next
      source = context.createMediaStreamSource(stream)
      source.connect(tap)
    },
    stop: () => {
      letGo()
      return new Promise((resolve) => {
        encoder.onmessage = ({ data }: MessageEvent<Blob>) => {
          encoder.terminate()
          resolve(data)
        }
        tell({ isOver: true })
      })
    },
    discard: () => {
      letGo()
      encoder.terminate()
    },
  }
}

function listen(deviceId?: string): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, ...(deviceId === undefined ? {} : { deviceId: { exact: deviceId } }) },
  })
}

/** Root mean square, scaled so that speech fills the meter. */
function loudness(samples: Float32Array): number {
  let sum = 0
  for (const value of samples) sum += value * value
  return Math.min(1, Math.sqrt(sum / samples.length) * 4)
}
