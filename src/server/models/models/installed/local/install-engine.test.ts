import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { binaryPackage, engineManifests } from './engine-folder.ts'
import { installEngine } from './install-engine.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-engine-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

describe('the engine of local models', () => {
  it('is pinned with hashes, and includes binaries for one platform without GPU', () => {
    const { manifest, lock } = engineManifests('@node-llama-cpp/linux-x64')
    expect(manifest.dependencies).toEqual({
      'node-llama-cpp': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      '@node-llama-cpp/linux-x64': expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
    const { '': root, ...packages } = lock.packages as Record<string, { integrity?: string }>
    expect(root).toBeDefined()
    for (const { integrity } of Object.values(packages)) expect(integrity).toMatch(/^sha512-/)
    const binaries = Object.keys(packages).filter((path) => path.includes('/@node-llama-cpp/'))
    expect(binaries).toEqual(['node_modules/@node-llama-cpp/linux-x64'])
  })

  it('has no package for unsupported platforms', () => {
    expect(binaryPackage('linux', 'x64')).toBe('@node-llama-cpp/linux-x64')
    expect(binaryPackage('freebsd', 'x64')).toBeNull()
  })

  it('reports an unreachable registry in one sentence, and leaves no files behind', {
    timeout: 120_000,
  }, async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const registry = `http://127.0.0.1:${port}/`
    const environment = { PATH: process.env.PATH, HOME: dataDir, npm_config_registry: registry }
    const never = new AbortController().signal
    await expect(installEngine(dataDir, never, environment)).rejects.toMatchObject({
      detail: 'The engine could not be installed: the npm registry cannot be reached from the server.',
    })
    expect(existsSync(join(dataDir, 'engine')) ? readdirSync(join(dataDir, 'engine')) : []).toEqual([])
  })

  it('reports that npm is missing', async () => {
    const never = new AbortController().signal
    await expect(installEngine(dataDir, never, { PATH: dataDir })).rejects.toMatchObject({
      detail: expect.stringContaining('npm was not found'),
    })
  })
})
