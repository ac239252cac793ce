import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { zipOf } from '#tests/zip.ts'
import type { FileStore } from '../../../platform/files/files.ts'
import { openExport } from './open-export.ts'

it('refuses an archive whose directory would fill the memory', async () => {
  const name = 'n'.repeat(60_000)
  const zip = zipOf(Array.from({ length: 570 }, (_, at) => ({ name: `${name}${at}.json`, content: '' })))
  const files = {
    read: async (_: string, { start, end }: { start: number; end: number }) =>
      Readable.from([zip.subarray(start, end + 1)]),
  } as unknown as FileStore
  const opened = openExport(files, { upload_id: 'x', size: zip.length, parts: [0] })
  await expect(opened).rejects.toThrow('The names of the files in the archive are too long.')
})
