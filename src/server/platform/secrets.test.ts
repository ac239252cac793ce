import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { createSecrets, SecretError } from './secrets.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-secrets-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const withKey = (ATRIUM_SECRET_KEY: string | undefined) => createSecrets({ ATRIUM_SECRET_KEY, dataDir })
const secrets = withKey('a key of this installation')
const sentence =
  /The key of this installation does not open a stored secret: restore the key, or enter the secret again/

function expectShut(sealed: string, by = secrets) {
  expect(() => by.open(sealed), sealed).toThrow(SecretError)
  expect(() => by.open(sealed), sealed).toThrow(sentence)
}

describe('sealed text', () => {
  it.each(['', 'sk-1234', 'clé d’accès 🔑', 'x'.repeat(100_000)])('opens to the original: %#', (plain) => {
    const sealed = secrets.seal(plain)
    expect(secrets.open(sealed)).toBe(plain)
    expect(sealed).toMatch(/^v1\.[\w-]+$/)
    expect(sealed).not.toBe(secrets.seal(plain))
    if (plain) expect(Buffer.from(sealed, 'base64url').includes(plain)).toBe(false)
  })

  it('does not open with another key', () => {
    expectShut(secrets.seal('sk-1234'), withKey('a key of another one'))
  })

  it('does not open if any part is cut off', () => {
    const sealed = secrets.seal('sk-1234')
    for (let length = 0; length < sealed.length; length += 1) expectShut(sealed.slice(0, length))
  })

  it('does not open if any bit was changed', () => {
    const bytes = Buffer.from(secrets.seal('sk-1234').slice(3), 'base64url')
    for (let at = 0; at < bytes.length * 8; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at >> 3] = (changed[at >> 3] ?? 0) ^ (1 << (at & 7))
      expectShut(`v1.${changed.toString('base64url')}`)
    }
  })

  it.each(['', 'v1', 'v1.', 'v2.abc', 'sk-plain-text', 'v1.%%%', '{"v":1}', '\0'])('is not %j', (text) => {
    expectShut(text)
  })
})

describe('key file', () => {
  const path = join(dataDir, 'secret.key')

  it('is the same for all concurrent starts and readable only by its owner', async () => {
    const module = new URL('secrets.ts', import.meta.url).href
    const code = `const { createSecrets } = await import(${JSON.stringify(module)})
      process.stdout.write(createSecrets({ dataDir: ${JSON.stringify(dataDir)} }).seal('shared'))`
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
    const sealed = await Promise.all(Array.from({ length: 4 }, run))
    const mine = withKey(undefined)
    for (const { stdout } of sealed) expect(mine.open(stdout)).toBe('shared')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toHaveLength(43)
  })

  it('is refused if empty and not replaced', () => {
    writeFileSync(path, '\n')
    expect(() => withKey(undefined)).toThrow(/secret\.key is empty: put back the one from a backup/)
    expect(readFileSync(path, 'utf8')).toBe('\n')
  })
})
