import { describe, expect, it } from 'vitest'
import { cleanHtml } from './clean-html.ts'
import { cleanDeclarations, cleanStyleSheet } from './clean-styles.ts'

const style = (css: string) => cleanHtml(`<style>${css}</style><p>x</p>`)

describe('cleanHtml', () => {
  it.each([
    '<style>@im@import;port "//h.example/x";</style>',
    '<style>@\\69mport "//h.example/x";</style>',
    '<style>@IMPORT url(//h.example/x);</style>',
    '<style>@import/**/"//h.example/x" screen;</style>',
    '<style>@media all{@import "//h.example/x";}</style>',
    '<style>@font-face{font-family:x;src:url(//h.example/x)}</style>',
    '<style>@namespace svg url(//h.example/x);</style>',
    '<style>p{background:u\\72l(//h.example/x)}</style>',
    '<style>p{background:url(//h.example/x}</style>',
    '<style>p{background:url("data:text/html,//h.example/x")}</style>',
    '<style>p{background:image-set("//h.example/x" 1x)}</style>',
    '<style>p{background:-webkit-image-set("//h.example/x" 1x)}</style>',
    '<style>p{background:cross-fade(url(//h.example/x),red)}</style>',
    '<style>p{--x:url(//h.example/x);background:var(--x)}</style>',
    '<style>p{width:expression(alert("//h.example/x"))}</style>',
    '<style>p{-moz-binding:url(//h.example/x)}</style>',
    '<style>p{behavior:url(#//h.example/x)}</style>',
    '<style>p{color:red}}@import "//h.example/x";</style>',
    '<style><!-- @import "//h.example/x"; --></style>',
    '<style>/*</style><style>*/@import "//h.example/x";</style>',
    '<svg><style>@import "//h.example/x";</style></svg>',
    '<math><mtext><style><img src=//h.example/x onerror=x></style></mtext></math>',
    '<noscript><p title="</noscript><img src=//h.example/x>"></noscript>',
    '<p style="background:url(//h.example/x)">a</p>',
    '<p style="color:red;background:\\75rl(//h.example/x)">a</p>',
    '<p style="background:url(&quot;//h.example/x&quot;)">a</p>',
    '<table background="//h.example/x"><td background="//h.example/x">a</table>',
    '<body background="//h.example/x">a',
    '<img src="//h.example/x" srcset="//h.example/x 2x" lowsrc="//h.example/x" dynsrc="//h.example/x">',
    '<img src="data:image/svg+xml;base64,//h.example/x">',
    '<img src="data:image/png;base64,AA==,//h.example/x">',
    '<picture><source srcset="//h.example/x"><img></picture>',
    '<input type=image src="//h.example/x"><video poster="//h.example/x"></video>',
    '<link rel=stylesheet href="//h.example/x"><meta http-equiv=refresh content="0;url=//h.example/x">',
    '<base href="//h.example/x"><object data="//h.example/x"></object><embed src="//h.example/x">',
    '<a href="#x" ping="//h.example/x">a</a><form action="//h.example/x">a</form>',
    '<template><img src="//h.example/x"></template><iframe srcdoc="//h.example/x"></iframe>',
    '<xmp><img src="//h.example/x"></xmp><plaintext><img src="//h.example/x">',
  ])('loads nothing from %s', (html) => {
    const clean = cleanHtml(`<html><body>${html}`)
    expect(clean).not.toMatch(/h\.example/)
    expect(clean).not.toMatch(/@import|url\(/i)
  })

  it.each([
    'javascript:x()',
    ' java\tscript:x()',
    '\u0001javascript:x()',
    'JaVaScRiPt&colon;x()',
    'java&#10;script:x()',
    'vbscript:x',
    'data:text/html,x',
    'blob:http://h.example/1',
    'file:///etc/passwd',
  ])('leads nowhere by %s', (href) => {
    expect(
      cleanHtml(`<a href="${href}">x</a><area href="${href}"><a xlink:href="${href}">y</a>`),
    ).not.toMatch(/href/i)
  })

  it('never lets a string end a style sheet', () => {
    expect(cleanStyleSheet('p{content:"\\3c/style>\\3c!--"}')).toBe('p{content:"\\3c /style>\\3c !--"}')
  })

  it('removes handlers and unknown attributes', () => {
    const clean = cleanHtml(
      '<p onclick=x() OnLoad=x() data-x=1 is=x slot=x part=x contenteditable autofocus>x</p>',
    )
    expect(clean).toContain('<p>x</p>')
  })

  it('keeps the look of a page', () => {
    const rules = [
      'p.note{color:#333;margin:0 auto!important}',
      '@media (max-width:600px){.row>td{display:block;width:100%!important}}',
      'a:hover,h1::before{content:"“";background:linear-gradient(90deg,rgba(0,0,0,.1),transparent)}',
      '.box{background:url(data:image/png;base64,AAAA);width:calc(100% - 2em)}',
      'table.MsoNormal{mso-style-name:"Table Normal";font-family:"Calibri",sans-serif}',
    ]
    for (const rule of rules) expect(style(rule)).toContain(`<style>${rule}</style>`)
    const page =
      '<table cellpadding="4" width="600" align="center" bgcolor="#eee"><tr><td valign="top" colspan="2" style="padding:4px;color:red">x</td></tr></table>'
    expect(cleanHtml(page)).toContain(page.slice(0, -'</tr></table>'.length).replace('<tr>', '<tbody><tr>'))
    expect(cleanHtml('<center><font color="red" size="2">x</font></center>')).toContain(
      '<center><font color="red" size="2">x</font></center>',
    )
    expect(cleanHtml('<o:p>kept</o:p>')).toContain('kept')
  })

  it('keeps links and embedded pictures', () => {
    const clean = cleanHtml(
      '<a id="top" href="#top">a</a><a href="https://a.example/?q=1">b</a><img src="data:image/png;base64,AAAA" alt="c">',
    )
    expect(clean).toContain('<a id="top" href="#top">a</a>')
    expect(clean).toContain(
      '<a href="https://a.example/?q=1" target="_blank" rel="noopener noreferrer">b</a>',
    )
    expect(clean).toContain('<img src="data:image/png;base64,AAAA" alt="c">')
  })
})

describe('the cost of hostile pages', () => {
  const count = 100_000
  const tags = [
    '<div>',
    '<a>',
    '<b>',
    '<font>',
    '<p>',
    '<span>',
    '<table>',
    '<table><tr><td>',
    '<svg>',
    '<li>',
  ]

  it.each([...tags, '<b><p>', '<a><div>', '<ul><li>', '<select>', '</p>', '<x y=', '<!--', '<a href=x>'])(
    `is bounded for ${count} times %s`,
    (tag) => {
      const began = process.cpuUsage()
      try {
        cleanHtml(tag.repeat(count))
      } catch (error) {
        expect(error).toMatchObject({ code: 'damaged' })
      }
      expect(process.cpuUsage(began).user / 1000).toBeLessThan(15_000)
    },
    60_000,
  )

  it.each(['{', 'a{', '(', ':not(', '@media{', 'a,', 'a:b;', '\\', '/*', '"', 'url(', '--x:{'])(
    'is bounded for styles of many %s',
    (css) => {
      const began = process.cpuUsage()
      cleanStyleSheet(css.repeat(900_000 / css.length))
      cleanDeclarations(css.repeat(900_000 / css.length))
      expect(process.cpuUsage(began).user / 1000).toBeLessThan(10_000)
    },
    60_000,
  )
})
