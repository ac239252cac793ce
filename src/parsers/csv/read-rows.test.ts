import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRows } from './read-rows.ts'

async function read(texts: string[], delimiter = ',') {
  const rows: string[][] = []
  for await (const row of readRows(texts, { delimiter, quote: '"' })) rows.push(row)
  return rows
}

describe('readRows', () => {
  it('reads quotes, line ends and empty cells', async () => {
    expect(await read(['a,"b ""c"", d","e\nf"\r\n,,\nlast,"open'])).toEqual([
      ['a', 'b "c", d', 'e\nf'],
      ['', '', ''],
      ['last', '"open'],
    ])
    expect(await read(['a,b,\n'])).toEqual([['a', 'b', '']])
    expect(await read(['5" pipe,"6" pipe",x'])).toEqual([['5" pipe', '6" pipe', 'x']])
  })

  it('reads the same rows wherever the text is cut', async () => {
    const text = 'a,"b\r\n""c""",d\r\n1,2,3\n"x,y",,z'
    const whole = await read([text])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 6 }), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length]
        expect(await read(at.slice(1).map((end, i) => text.slice(at[i], end)))).toEqual(whole)
      }),
    )
  })
})

describe('unclosed cells', () => {
  it('are scanned once, however many there are', async () => {
    const began = performance.now()
    expect(await read(['"a\n'.repeat(200_000)])).toHaveLength(200_000)
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})
