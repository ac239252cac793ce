import { describe, expect, it } from 'vitest'
import { cleanSvg } from './clean-svg.ts'

const draw = (content: string, more = '') =>
  cleanSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 120.5 80" ${more}>${content}</svg>`,
  )

describe('SVG drawing', () => {
  it('keeps its shapes and its size', () => {
    const { svg, width, height } = draw(
      '<style>.a{fill:red}</style><defs><marker id="m"/></defs><g class="a"><path d="M0 0" marker-end="url(#m)"/><text>A</text></g>',
      'width="100%" style="max-width: 10px"',
    )
    expect([width, height]).toEqual([121, 80])
    expect(svg).toContain('width="121"')
    for (const part of ['.a{fill:red}', 'url(#m)', '<text>A</text>']) expect(svg).toContain(part)
    expect(svg).not.toContain('max-width')
  })

  it.each([
    ['<script>alert(1)</script>', 'alert'],
    [
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/></body></foreignObject>',
      'alert',
    ],
    ['<g onclick="alert(1)"/>', 'alert'],
    ['<image href="https://evil.example/a.png"/>', 'evil'],
    ['<a href="javascript:alert(1)"><text>x</text></a>', 'alert'],
    ['<use xlink:href="https://evil.example/a.svg#x"/>', 'evil'],
    ['<path style="fill: url(https://evil.example/a)"/>', 'evil'],
    ['<rect fill="url(&quot;https://evil.example/a&quot;)"/>', 'evil'],
    ['<style>@import "https://evil.example/a.css"; .b{background:url(//evil.example/a)}</style>', 'evil'],
    ['<style>@im@import;port "https://evil.example/a.css";</style>', 'evil'],
    ['<style>.b{background:u\\72l(https://evil.example/a)}</style>', 'evil'],
    ['<style>.b{background:image-set("https://evil.example/a" 1x)}</style>', 'evil'],
    ['<path style="fill:u\\72l(https://evil.example/a)"/>', 'evil'],
    ["<style>.b{background:url('https://evil.example/a')}</style>", 'evil'],
    ['<set attributeName="href" to="javascript:alert(1)"/>', 'alert'],
    ['<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>', 'alert'],
  ])('loses %s', (content, trace) => {
    expect(draw(`${content}<text>kept</text>`).svg).toContain('kept')
    expect(draw(content).svg).not.toContain(trace)
  })

  it('keeps the text of a link in place', () => {
    const { svg } = draw('<a href="https://x.example" transform="translate(1, 2)"><text>Words</text></a>')
    expect(svg).toContain('<g transform="translate(1, 2)"><text>Words</text></g>')
  })

  it.each(['<html/>', '<svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', ''])('is rejected: %s', (text) => {
    expect(() => cleanSvg(text)).toThrow()
  })
})
