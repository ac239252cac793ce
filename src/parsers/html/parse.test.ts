import { afterAll, describe, expect, it } from 'vitest'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'

afterAll(forgetParsed)

const read = (body: string, head = '') =>
  parseBytes('page.html', `<!doctype html><html><head>${head}</head><body>${body}</body></html>`)

describe('html', () => {
  it('reads headings, paragraphs, code and links', async () => {
    const { markdown, elements, facts } = await read(
      `<h2>Plan <b>B</b></h2><p>See <a href="https://a.example/x">the <b>list</b></a>.</p>
       <pre><code class="language-js">let a = 1
let b</code></pre><blockquote><p>Said</p></blockquote>`,
      '<title>A page</title><meta name="author" content="Ann">',
    )
    expect(markdown).toBe(
      '## Plan B\n\nSee [the **list**](https://a.example/x).\n\n```js\nlet a = 1\nlet b\n```\n\n> Said',
    )
    expect(elements.map(({ type }) => type)).toEqual([
      'Title',
      'NarrativeText',
      'CodeSnippet',
      'NarrativeText',
    ])
    expect(facts).toEqual({ title: 'A page', author: 'Ann' })
  })

  it('puts the pronunciation of a word after it, in brackets', async () => {
    const { elements } = await read('<p><ruby>漢<rp>(</rp><rt>かん</rt>字<rt>じ</rt></ruby>です</p>')
    expect(elements[0]?.text).toBe('漢（かん）字（じ）です')
  })

  it('reads lists with their depth and numbers', async () => {
    const { markdown } = await read(
      '<ul><li>One<ol start="3"><li>three</li><li>four</li></ol></li><li>Two</li></ul><dl><dt>Term</dt><dd>Meaning</dd></dl>',
    )
    expect(markdown).toBe('- One\n    3. three\n    4. four\n- Two\n- **Term**\n    - Meaning')
  })

  it('reads tables with their spans', async () => {
    const { elements } = await read(
      '<table><tr><th colspan="2">Both</th><th>C</th></tr><tr><td rowspan="2">a</td><td>b</td><td>c</td></tr><tr><td>d</td><td>e|f</td></tr></table>',
    )
    expect(elements).toHaveLength(1)
    expect(elements[0]?.cells).toEqual([
      { row: 0, column: 0, text: 'Both', columnSpan: 2, isHeader: true },
      { row: 0, column: 2, text: 'C', isHeader: true },
      { row: 1, column: 0, text: 'a', rowSpan: 2 },
      { row: 1, column: 1, text: 'b' },
      { row: 1, column: 2, text: 'c' },
      { row: 2, column: 1, text: 'd' },
      { row: 2, column: 2, text: 'e|f' },
    ])
    expect(elements[0]?.markdown).toContain('|  | d | e\\|f |')
  })

  it('ignores tables that are only used for layout', async () => {
    const { markdown } = await read(
      '<table cellpadding="4"><tr><td><h1>News</h1></td><td><table><tr><td>x</td><td>1</td></tr><tr><td>y</td><td>2</td></tr></table></td></tr></table>',
    )
    expect(markdown).toBe('# News\n\n| x | 1 |\n| --- | --- |\n| y | 2 |')
  })

  it('leaves out hidden text and text around the content', async () => {
    const { markdown } = await read(
      `<nav>Menu</nav><script>alert(1)</script><style>p{}</style><p hidden>a</p><p style="display: none">b</p>
       <div aria-hidden="true">c</div><template>d</template><p>Shown <img alt="Duck" src="d.png"></p>`,
    )
    expect(markdown).toBe('Shown Duck')
  })

  it('escapes Markdown characters', async () => {
    const { markdown } = await read('<p># 2 * 3 * 4 [x] snake_case _it_</p><p>1. no list</p>')
    expect(markdown).toBe('\\# 2 \\* 3 \\* 4 \\[x\\] snake_case \\_it\\_\n\n1\\. no list')
  })

  it('stores a page in which nothing runs or loads', async () => {
    const { keptText } = await read(
      `<p onclick="x()" style="background:url(http://a.example/b); color:red">Hi</p><script>x()</script>
       <img src="http://a.example/p.png" onerror="x()"><img src="data:image/png;base64,AAAA"><iframe src="/"></iframe>
       <a href="javascript:x()">no</a><a href="https://a.example">yes</a><form action="/x"><input value="secret">kept</form>
       <svg onload="x()"><script>x()</script></svg><object data="x"></object><p style="background:\\75rl(http://b.example)">u</p>`,
      '<base href="http://a.example"><meta http-equiv="refresh" content="0;url=x"><link rel="stylesheet" href="x.css"><style>@import "x"; p{background:u\\rl(x)}</style>',
    )
    const kept = await keptText('view.html')
    expect(kept).not.toMatch(
      /script|onclick|onerror|onload|iframe|<object|<svg|<base|<meta|<link|<form|<input|@import|javascript|url\s*\(/i,
    )
    expect(kept).not.toMatch(/src="http|b\.example/)
    expect(kept).toContain('data:image/png;base64,AAAA')
    expect(kept).toContain('href="https://a.example" target="_blank" rel="noopener noreferrer"')
    expect(kept).toContain('color:red')
    expect(kept).toContain('kept')
  })

  it('refuses absurdly deep nesting', async () => {
    await expect(parseBytes('a.html', `<html>${'<div>'.repeat(50_000)}x`)).rejects.toMatchObject({
      code: 'damaged',
    })
  })

  it('reads a page in the encoding it declares', async () => {
    const bytes = Buffer.concat([
      Buffer.from('<html><meta charset="iso-8859-2"><p>'),
      Buffer.from([0xb1, 0xe6]),
      Buffer.from('</p>'),
    ])
    expect((await parseBytes('a.html', bytes)).text).toBe('ąć')
  })
})
