import { describe, expect, it } from 'vitest'
import { scoreExamples } from './conformance.ts'

const examples = [
  {
    markdown: '# Title\n\ntext *with* **marks**\n',
    html: '<h1>Title</h1>\n<p>text <em>with</em> <strong>marks</strong></p>\n',
  },
  { markdown: '- a\n- b\n', html: '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n' },
  {
    markdown: '3. a\n\n4. b\n',
    html: '<ol start="3">\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ol>\n',
  },
  {
    markdown: '```js\nlet a < 1\n```\n',
    html: '<pre><code class="language-js">let a &lt; 1\n</code></pre>\n',
  },
  {
    markdown: '[a](/u "t") ![b](c.png)\n',
    html: '<p><a href="/u" title="t">a</a> <img src="c.png" alt="b" /></p>\n',
  },
  { markdown: '> q\n', html: '<blockquote>\n<p>q</p>\n</blockquote>\n' },
  {
    markdown: '| a | b |\n| - | -: |\n| 1 |\n',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td align="right"></td>\n</tr>\n</tbody>\n</table>\n',
  },
  {
    markdown: '~~gone~~ www.example.com\n',
    html: '<p><del>gone</del> <a href="http://www.example.com">www.example.com</a></p>\n',
  },
  { markdown: '[a]\n\n[a]: /later\n', html: '<p><a href="/later">a</a></p>\n' },
]

describe('conformance', () => {
  it('matches the structure of the CommonMark and GFM examples', () => {
    const { compared, equal, failures } = scoreExamples(examples)
    expect(failures).toEqual([])
    expect(equal).toBe(compared)
  })

  it('detects a difference', () => {
    expect(scoreExamples([{ markdown: '*a*', html: '<p><strong>a</strong></p>' }]).equal).toBe(0)
  })

  it('shows HTML from the author as text', () => {
    const score = scoreExamples([
      { markdown: '<script>alert(1)</script>\n', html: '<script>alert(1)</script>\n' },
      { markdown: 'a <img src=x onerror=alert(1)> b\n', html: '<p>a <img src=x onerror=alert(1)> b</p>\n' },
    ])
    expect(score).toMatchObject({ asText: 2, shownAsText: 2 })
  })
})
