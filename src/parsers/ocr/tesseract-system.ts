import { spawn } from 'node:child_process'
import type { Engine, EngineWord } from './engine.ts'

/**
 * Returns the system's tesseract; null if it lacks one of the languages. It runs on one thread, because with more threads pages take ten
 * times as long, occasionally minutes.
 */
export async function startSystemEngine(program: string, languages: string[]): Promise<Engine | null> {
  const known = await run(program, ['--list-langs'], null, new AbortController().signal).catch(() => '')
  if (!languages.every((language) => known.split(/\s+/).includes(language))) return null
  return {
    read: async (png, signal) => {
      const output = await run(
        program,
        ['stdin', 'stdout', '-l', languages.join('+'), '--dpi', '200', 'tsv'],
        png,
        signal,
      )
      return readTable(output)
    },
    close: () => Promise.resolve(),
  }
}

function run(
  program: string,
  args: string[],
  input: Uint8Array | null,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      signal,
      env: { ...process.env, OMP_THREAD_LIMIT: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const output: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stdin.on('error', () => undefined)
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(output).toString('utf8'))
      else reject(new Error(`tesseract exited with ${code}`))
    })
    child.stdin.end(input ?? undefined)
  })
}

/** The columns are level, page, block, paragraph, line, word, left, top, width, height, confidence, text; words have level 5. */
function readTable(tsv: string): EngineWord[] {
  return tsv.split('\n').flatMap((row) => {
    const [level, , block, paragraph, line, , left, top, width, height, confidence, text] = row.split('\t')
    if (level !== '5' || !text) return []
    return {
      paragraph: `${block}.${paragraph}`,
      line: `${block}.${paragraph}.${line}`,
      text,
      left: Number(left),
      top: Number(top),
      right: Number(left) + Number(width),
      bottom: Number(top) + Number(height),
      confidence: Math.max(0, Number(confidence)) / 100,
    }
  })
}
