import i18next from 'i18next'
import { describe, expect, it } from 'vitest'
import { startTexts } from '#tests/web/render-page.tsx'
import { sizeText } from './file-size.ts'

describe('file size', () => {
  it('has the units B, KB, MB, GB and TB, with a factor of 1024 [DO-10]', async () => {
    await startTexts('en')
    const sizes = [0, 1023, 1024, 1536, 2_202_010, 1024 ** 3 * 1.5, 1024 ** 4 * 2, 1024 ** 5]
    expect(sizes.map((size) => sizeText(i18next.t, size).replace('\u00a0', ' '))).toEqual([
      ...['0 B', '1,023 B', '1 KB', '1.5 KB', '2.1 MB', '1.5 GB', '2 TB', '1,024 TB'],
    ])
  })

  it('never shows 1,024 of a unit if there is a larger one', async () => {
    await startTexts('en')
    expect(sizeText(i18next.t, 1024 * 1024 - 1).replace('\u00a0', ' ')).toBe('1 MB')
  })
})
