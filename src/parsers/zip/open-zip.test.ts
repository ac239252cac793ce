import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { oleOf } from '#tests/ole.ts'
import { testLimits } from '#tests/parsed.ts'
import { zipOf } from '#tests/zip.ts'
import type { Limits } from '../elements/port.ts'
import { openZip } from './open-zip.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-zip-'))

function open(bytes: Uint8Array, limits: Partial<Limits> = {}, signal = new AbortController().signal) {
  const path = join(folder, 'a.zip')
  writeFileSync(path, bytes)
  return openZip({ path, limits: { ...testLimits, ...limits }, signal })
}

describe('openZip', () => {
  it('reads entries', async () => {
    const zip = await open(zipOf({ 'a.txt': 'hello', 'b/c.txt': 'there' }))
    expect(zip.entries).toEqual([
      { name: 'a.txt', size: 5, isEncrypted: false },
      { name: 'b/c.txt', size: 5, isEncrypted: false },
    ])
    expect(String(await zip.read('b/c.txt'))).toBe('there')
    expect(await zip.read('no.txt')).toBeNull()
    zip.close()
  })

  it('refuses to unpack too much before it unpacks anything', async () => {
    const bomb = zipOf({ 'a.xml': Buffer.alloc(30_000_000) })
    expect(bomb.length).toBeLessThan(40_000)
    await expect(open(bomb, { unpackedBytes: 20_000_000 })).rejects.toMatchObject({
      code: 'too_large_inside',
    })
  })

  it('refuses implausible compression ratios, whatever the limit', async () => {
    const bomb = zipOf({ 'a.xml': Buffer.alloc(80_000_000) })
    await expect(open(bomb, { unpackedBytes: 1e12 })).rejects.toMatchObject({ code: 'too_large_inside' })
  })

  it('stops unpacking an entry that is larger than declared', async () => {
    const zip = await open(zipOf([{ name: 'a.xml', content: Buffer.alloc(5_000_000), declaredSize: 100 }]))
    await expect(zip.read('a.xml')).rejects.toMatchObject({ code: 'too_large_inside' })
    zip.close()
  })

  it('refuses too many entries', async () => {
    await expect(open(zipOf({ a: '1', b: '2', c: '3' }), { entries: 2 })).rejects.toMatchObject({
      code: 'too_large_inside',
    })
  })

  it('never returns a name that leads out of its folder', async () => {
    const zip = await open(
      zipOf({ '../a': '1', '/etc/b': '2', 'x/../../c': '3', 'C:\\d': '4', '..\\e': '5', 'fine/f': '6' }),
    )
    expect(zip.entries.map(({ name }) => name)).toEqual(['fine/f'])
    expect(zip.refused).toHaveLength(5)
    zip.close()
  })

  it('reports that a zip or an Office file has a password', async () => {
    const zip = await open(zipOf([{ name: 'a', content: 'x', isEncrypted: true }]))
    await expect(zip.read('a')).rejects.toMatchObject({ code: 'encrypted' })
    zip.close()
    await expect(open(oleOf(['EncryptedPackage']))).rejects.toMatchObject({ code: 'encrypted' })
  })

  it('reports that a truncated file is damaged', async () => {
    const bytes = zipOf({ 'a.txt': 'hello '.repeat(1000) })
    await expect(open(bytes.subarray(0, bytes.length - 40))).rejects.toMatchObject({ code: 'damaged' })
  })

  it('reports that an entry is damaged', async () => {
    const bytes = zipOf({ 'a.txt': 'hello '.repeat(1000) })
    bytes.fill(0xff, 36, 50)
    const zip = await open(bytes)
    await expect(zip.read('a.txt')).rejects.toMatchObject({ code: 'damaged' })
    zip.close()
  })

  it('stops when the signal aborts', async () => {
    const controller = new AbortController()
    const zip = await open(zipOf({ a: 'x'.repeat(1000) }), {}, controller.signal)
    controller.abort()
    await expect(zip.read('a')).rejects.toThrow(/abort/)
    zip.close()
  })
})
