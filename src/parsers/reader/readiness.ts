import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { findProgram, packageOf } from '../elements/programs.ts'
import { WHISPER_PACKAGE } from '../media/whisper-files.ts'
import { ocrLanguages } from '../ocr/languages.ts'
import { languagePackage } from '../ocr/tesseract-built-in.ts'

/** A program or package that reading depends on: its version if it runs, the failure if it does not. */
type Ready = { version: string | null; trouble: string | null; package: string }

/** The programs and packages that read scans, Office files and recordings on this machine. */
export type Readiness = {
  /** The system's tesseract, the required languages it lacks, and whether the packages have all of them. */
  ocr: Ready & { lacking: string[]; hasBuiltIn: boolean }
  office: Ready
  /** The decoder of recordings, and whether the packages can transcribe them. */
  media: Ready & { hasSpeech: boolean }
}

/** Timeout for a program that reports its version. */
const PATIENCE_MS = 6_000
const exec = promisify(execFile)

/** Runs the programs to learn their versions. Never rejects. */
export async function probeReading(): Promise<Readiness> {
  const [ocr, languages, office, media] = await Promise.all([
    ask('tesseract', ['--version']),
    ask('tesseract', ['--list-langs']),
    ask('soffice', ['--version']),
    ask('ffmpeg', ['-version']),
  ])
  const known = languages.output.split(/\s+/)
  return {
    ocr: {
      ...readyOf(ocr, packageOf('tesseract')),
      lacking: ocr.trouble ? [] : ocrLanguages.filter((language) => !known.includes(language)),
      hasBuiltIn: ocrLanguages.every((language) => isInstalled(languagePackage(language))),
    },
    office: readyOf(office, packageOf('soffice')),
    media: { ...readyOf(media, packageOf('ffmpeg')), hasSpeech: isInstalled(WHISPER_PACKAGE) },
  }
}

type Asked = { output: string; trouble: string | null; isThere: boolean }

async function ask(name: Parameters<typeof findProgram>[0], args: string[]): Promise<Asked> {
  const program = findProgram(name)
  if (!program) return { output: '', trouble: null, isThere: false }
  const env = { PATH: process.env.PATH ?? '', HOME: tmpdir(), LANG: 'C.UTF-8' }
  try {
    const { stdout, stderr } = await exec(program, args, { env, timeout: PATIENCE_MS, killSignal: 'SIGKILL' })
    return { output: `${stdout}${stderr}`, trouble: null, isThere: true }
  } catch (error) {
    return { output: '', trouble: (error as Error).message.trim().slice(0, 300), isThere: true }
  }
}

function readyOf({ output, trouble, isThere }: Asked, bringing: string): Ready {
  return { version: isThere && !trouble ? versionIn(output) : null, trouble, package: bringing }
}

/** Returns the first version number of the output, without a packager's suffix; empty if there is none. */
function versionIn(output: string): string {
  const word = output.split(/\s+/, 40).find((one) => /^\d+\./.test(one)) ?? ''
  return /^[\d.]*/.exec(word)?.[0] ?? ''
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}
