import { spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Job, Unreadable } from '../elements/port.ts'
import { findProgram, packageOf } from '../elements/programs.ts'

const SECONDS = 60

/** Prevents macros and scripts from running, and links from being requested. */
const settings = [
  ['Security/Scripting', 'MacroSecurityLevel', '3'],
  ['Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['Security/Scripting', 'DisableActiveContent', 'true'],
]

/**
 * Converts the file of a job with LibreOffice in a separate profile. Returns the path of the result, in the job's folder. Kills all
 * processes of LibreOffice at the end, after a minute, or when the job is stopped.
 * @throws Unreadable without the program, after the time limit or without output
 */
export async function convert(job: Job, target: 'pdf' | 'docx' | 'xlsx' | 'pptx'): Promise<string> {
  const program = findProgram('soffice')
  if (!program) throw new Unreadable('program_missing', { program: 'soffice', package: packageOf('soffice') })
  const folder = await mkdtemp(join(job.folder, 'soffice-'))
  const [profile, out, source] = [
    join(folder, 'profile'),
    join(folder, 'out'),
    join(folder, `document.${job.format}`),
  ]
  await mkdir(join(profile, 'user'), { recursive: true })
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), profileText())
  await copyFile(job.path, source)
  try {
    await run(program, ['--convert-to', target, '--outdir', out, source], {
      profile,
      folder,
      signal: job.signal,
    })
  } finally {
    await rm(profile, { recursive: true, force: true })
    await rm(source, { force: true })
  }
  const made = (await readdir(out).catch(() => [])).find((name) => name.endsWith(`.${target}`))
  if (!made) throw new Unreadable('damaged', {}, { cause: new Error('soffice wrote no output') })
  return join(out, made)
}

function run(
  program: string,
  args: string[],
  { profile, folder, signal }: { profile: string; folder: string; signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const calm = [
      '--headless',
      '--norestore',
      '--nologo',
      '--nodefault',
      '--nolockcheck',
      '--nofirststartwizard',
    ]
    // LibreOffice leaves temporary files when it is killed. Inside the job's folder they are deleted with it.
    const env = {
      ...{ PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
      SAL_USE_VCLPLUGIN: 'svp',
    }
    const installation = `-env:UserInstallation=${pathToFileURL(profile).href}`
    // A separate process group, because soffice is a script that starts other processes.
    const child = spawn(program, [installation, ...calm, ...args], {
      env,
      cwd: folder,
      stdio: 'ignore',
      detached: true,
    })
    let reason: Error | null = null
    const end = (error: Error) => {
      reason = error
      if (child.pid) killGroup(child.pid)
    }
    const timer = setTimeout(() => end(new Unreadable('took_too_long', { seconds: SECONDS })), SECONDS * 1000)
    const stop = () => end(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    signal.addEventListener('abort', stop, { once: true })
    const settle = (error: Error | null) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      if (child.pid) killGroup(child.pid)
      if (error) reject(error)
      else resolve()
    }
    child.on('error', (error) => settle(reason ?? new Unreadable('damaged', {}, { cause: error })))
    child.on('close', () => settle(reason))
  })
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes have already ended.
  }
}

function profileText(): string {
  const items = settings.map(
    ([path, name, value]) =>
      `<item oor:path="/org.openoffice.Office.Common/${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">${items.join('')}</oor:items>`
}
