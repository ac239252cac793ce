import { afterAll, describe, expect, it } from 'vitest'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

const read = (body: string) =>
  parseBytes(
    'a.rtf',
    `{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\info{\\title The plan}}{\\header Head\\par}${body}}`,
  )

describe('rtf', () => {
  it('reads headings, how text looks, signs of all scripts', async () => {
    const { markdown, facts, elements } = await read(
      "\\pard\\outlinelevel1 Costs\\par\\pard D\\'e9j\\u224 ? vu, {\\b bold} \\{x\\} \\u8364\\'80{\\v hidden}{\\*\\unknown gone}{\\pict 0102}\\par",
    )
    expect(markdown).toBe('### Costs\n\nDéjà vu, **bold** {x} €')
    expect(facts.title).toBe('The plan')
    expect(elements[0]).toEqual(expect.objectContaining({ type: 'Header', text: 'Head' }))
  })

  it('reads lists and tables', async () => {
    const { markdown } = await read(
      '{\\listtext\\bullet\\tab}one\\par\\pard\\ilvl1{\\listtext 2.\\tab}two\\par\\pard\\trowd\\intbl A\\cell B\\cell\\row\\trowd\\intbl c\\par d\\cell e\\cell\\row\\pard after\\par',
    )
    expect(markdown).toBe('- one\n    2. two\n\n| A | B |\n| --- | --- |\n| c d | e |\n\nafter')
  })

  it('reads what is cut as far as it goes', async () => {
    expect((await parseBytes('a.rtf', '{\\rtf1\\ansi {{\\b Cut')).text).toBe('Cut')
  })
})
