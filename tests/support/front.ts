import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

export type Proxy = 'nginx' | 'caddy'

const programs: Record<Proxy, string> = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy' }

/** The proxies installed on this machine. */
export const proxiesHere = (Object.keys(programs) as Proxy[]).filter((name) => {
  try {
    accessSync(programs[name], constants.X_OK)
    return true
  } catch {
    return false
  }
})

/**
 * Starts a proxy in front of `port`, with the settings of `deploy/` except for names, ports and certificates. Returns its
 * address.
 */
export async function startFront(
  proxy: Proxy,
  port: number,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), `atrium-${proxy}-`))
  const listens = await freePort()
  const file = join(folder, 'settings')
  writeFileSync(file, proxy === 'nginx' ? nginxSettings(folder, listens, port) : caddySettings(listens, port))
  const args =
    proxy === 'nginx' ? ['-c', file, '-p', folder] : ['run', '--config', file, '--adapter', 'caddyfile']
  const child = spawn(programs[proxy], args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder },
  })
  const output: string[] = []
  child.stderr.on('data', (text: Buffer) => output.push(text.toString()))
  const url = `http://127.0.0.1:${listens}`
  const stop = () => end(child, folder)
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null || tries > 200) {
      await stop()
      throw new Error(`${proxy} does not start: ${output.join('')}`)
    }
    const answer = await fetch(`${url}/api/v1/health`).catch(() => null)
    if (answer?.ok) return { url, stop }
    await sleep(50)
  }
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}

const read = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')

function nginxSettings(folder: string, listens: number, port: number): string {
  const server = read('nginx.conf')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${listens};`)
    .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace(/^ *ssl_certificate.*$/gm, '')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
    http { access_log off; ${paths.join(' ')} ${server} }`
}

function caddySettings(listens: number, port: number): string {
  const site = read('Caddyfile')
    .replace('atrium.example.com {', `http://127.0.0.1:${listens} {`)
    .replace('reverse_proxy 127.0.0.1:3000', `reverse_proxy 127.0.0.1:${port}`)
  return `{\n\tadmin off\n}\n${site}`
}
