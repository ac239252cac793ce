import { spawn } from 'node:child_process'
import { SAMPLE_RATE } from './sound.ts'

/** Codecs and length of a file according to ffmpeg; null if absent. */
export type Streams = { video: string | null; audio: string | null; seconds: number | null }

const SAID_MAX = 20_000

/** Returns the streams of a file. All are null if ffmpeg cannot read it. */
export async function probe(ffmpeg: string, path: string, signal: AbortSignal): Promise<Streams> {
  const { said } = await run(ffmpeg, ['-i', `file:${path}`], signal)
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d+):(\d+\.\d+)/.exec(said) ?? []
  const streams = said.split('\n').filter((line) => line.includes('Stream #'))
  // Cover art is not a film.
  const video = streams.find((line) => line.includes('Video: ') && !line.includes('attached pic'))
  const audio = streams.find((line) => line.includes('Audio: '))
  return {
    video: /Video: (\w+)/.exec(video ?? '')?.[1] ?? null,
    audio: /Audio: (\w+)/.exec(audio ?? '')?.[1] ?? null,
    seconds: hours ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : null,
  }
}

/** Extracts the sound of a file in the format `openSound` reads. Returns whether there is any. */
export async function extractSound(ffmpeg: string, from: string, to: string, signal: AbortSignal) {
  const sound = ['-map', '0:a:0', '-ac', '1', '-ar', String(SAMPLE_RATE), '-f', 's16le']
  return (await run(ffmpeg, ['-i', `file:${from}`, '-vn', ...sound, to], signal)).isDone
}

/** Converts a file to a format browsers play, copying its streams where possible. Returns whether it succeeded. */
export async function makeView(
  ffmpeg: string,
  from: string,
  to: string,
  { video, audio }: Streams,
  signal: AbortSignal,
): Promise<boolean> {
  const picture =
    video === 'h264' ? ['-c:v', 'copy'] : ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26']
  const shape = video === 'h264' ? [] : ['-pix_fmt', 'yuv420p', '-vf', "scale=-2:'min(720,trunc(ih/2)*2)'"]
  const sound = audio === 'aac' ? ['-c:a', 'copy'] : ['-c:a', 'aac', '-b:a', '128k']
  const streams = video ? ['-map', '0:v:0', '-map', '0:a:0?', ...picture, ...shape] : ['-map', '0:a:0']
  const args = ['-i', `file:${from}`, ...streams, ...sound, '-sn', '-dn', '-movflags', '+faststart', to]
  return (await run(ffmpeg, args, signal)).isDone
}

/** Runs ffmpeg. It reads only local files, even if a playlist in the file has other addresses. */
async function run(ffmpeg: string, args: string[], signal: AbortSignal) {
  const always = [
    '-nostdin',
    '-hide_banner',
    '-y',
    '-threads',
    '1',
    '-protocol_whitelist',
    'file,pipe,crypto',
  ]
  const child = spawn(ffmpeg, [...always, ...args], { stdio: ['ignore', 'ignore', 'pipe'], signal })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-SAID_MAX)
  })
  const isDone = await new Promise<boolean>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0))
  })
  return { isDone, said }
}
