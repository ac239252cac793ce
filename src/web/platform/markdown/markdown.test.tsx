import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { aUser } from '#tests/web/render-app.tsx'
import common from '../../../../locales/en/common.json' with { type: 'json' }
import texts from '../../../../locales/en/streaming_blocks.json' with { type: 'json' }
import { queryClient } from '../lib/api/query-client.ts'
import { meQuery } from '../lib/me/me.ts'
import { setToken } from '../lib/me/token.ts'
import { Markdown } from './markdown.tsx'

beforeAll(() =>
  i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { common, streaming_blocks: texts } },
    interpolation: { escapeValue: false },
  }),
)
afterEach(cleanup)

const draw = (text: string) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Markdown text={text} />
    </QueryClientProvider>,
  ).container

describe('code and tables', () => {
  const saved: { name: string; content: Blob }[] = []
  const watchFiles = () => {
    saved.length = 0
    let content = new Blob()
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => {
          content = blob
          return 'blob:x'
        },
        revokeObjectURL() {},
      }),
    )
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, content })
    })
  }

  it.each([
    ['python', 'py'],
    ['C#', 'cs'],
    ['bash', 'sh'],
    ['javascript', 'js'],
    ['tsx', 'tsx'],
    ['brainfuck', 'brainfuck'],
    ['../../etc', 'txt'],
    ['', 'txt'],
  ])('code in %s is saved as a file that ends in %s', async (lang, ending) => {
    watchFiles()
    draw(`\`\`\`${lang}\nprint(1)\n\`\`\``)
    await userEvent.click(await screen.findByRole('button', { name: 'Download code' }))
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]?.name).toMatch(new RegExp(`^code-[\\d-]{19}-\\w{1,4}\\.${ending}$`))
    expect(await saved[0]?.content.text()).toBe('print(1)')
  })

  it('open in full window, also by keyboard, and restore the focus', async () => {
    draw('| A | B |\n|---|---|\n| 1 | 2 |')
    const button = await screen.findByRole('button', { name: 'Expand table' })
    button.focus()
    await userEvent.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog', { name: '1 row, 2 columns' })
    expect(dialog.querySelector('td')?.textContent).toBe('1')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(button))
  })
})

describe('Markdown on the page', () => {
  it('opens links in a new tab without access to this one [BL-09]', () => {
    draw('[a](https://example.com/a "t") [m](mailto:a@b.co)')
    for (const link of screen.getAllByRole('link')) {
      expect(link.getAttribute('target')).toBe('_blank')
      expect(link.getAttribute('rel')).toContain('noopener')
    }
    expect(screen.getByRole('link', { name: 'a' }).getAttribute('href')).toBe('https://example.com/a')
  })

  it('shows only the text of links that are not http, https or mailto [BL-09]', () => {
    const container = draw(
      '[a](javascript:alert(1)) [b](data:text/html,x) [c](vbscript:x) [d](/path) [e](file:///x)',
    )
    expect(container.querySelector('a')).toBeNull()
    expect(container.textContent?.replace(/\s+/g, ' ')).toBe('a b c d e')
  })

  it('links the models page for those who may open it, and no other address of the product', () => {
    const text = '[Models](/admin/models) [out](/admin/models?token=1) [in](/?auth_token=1)'
    draw(text)
    expect(screen.queryByRole('link')).toBeNull()
    cleanup()
    queryClient.setQueryData(meQuery.queryKey, aUser({ role: 'super_admin' }))
    draw(text)
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/admin/models'])
    expect(screen.getByRole('link').getAttribute('target')).toBe('_blank')
    queryClient.clear()
  })

  it('resolves sandbox: images against the API origin [BL-10]', async () => {
    draw('![plot](sandbox:/mnt/data/plot.png)')
    expect((await screen.findByRole('img', { name: 'plot' })).getAttribute('src')).toBe(
      `${location.origin}/mnt/data/plot.png`,
    )
  })

  it('rewrites assets/tools/ images to the versioned path of the API, and reads them with the token [BL-11]', async () => {
    const sent: [string, unknown][] = []
    setToken('test-token')
    URL.createObjectURL = () => 'blob:chart'
    globalThis.fetch = async (url, init) => {
      sent.push([String(url), new Headers(init?.headers).get('authorization')])
      return new Response('bytes')
    }
    draw('![a](https://old.example/x/assets/tools/1/chart.png) ![b](assets/tools/../../secret.png)')
    const image = await screen.findByRole('img', { name: 'a' })
    expect(image.getAttribute('src')).toBe('blob:chart')
    expect(sent).toEqual([[`${location.origin}/api/v1/assets/tools/1/chart.png`, 'Bearer test-token']])
    expect(screen.getByRole('img', { name: 'b' }).getAttribute('src')).toBe(
      `${location.origin}/api/v1/secret.png`,
    )
  })

  it('opens an image in full window, where it can be downloaded by name; in a link it is only the link [SH-26]', async () => {
    draw('![plot](sandbox:/mnt/data/plot.png) [![small](sandbox:/small.png)](https://example.com)')
    await userEvent.click(await screen.findByRole('button', { name: 'plot' }))
    expect(screen.queryByRole('button', { name: 'small' })).toBeNull()
    const overlay = await screen.findByRole('dialog', { name: 'plot' })
    expect(overlay.querySelector('img')?.getAttribute('src')).toBe(`${location.origin}/mnt/data/plot.png`)
    expect(screen.getByRole('button', { name: 'Download image' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Close image' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows images of other hosts as a link, without loading them [BL-10]', async () => {
    const container = draw('![Boiler](https://other.example/boiler.jpg)')
    expect((await screen.findByRole('link')).textContent).toContain('other.example')
    expect(container.querySelector('img')).toBeNull()
  })

  it('shifts headings, because the page has two levels above an answer', () => {
    draw('# one\n\n## two\n\n##### five')
    expect(screen.getByRole('heading', { name: 'one', level: 3 })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'two', level: 4 })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'five', level: 6 })).toBeTruthy()
  })

  it('typesets formulas once the typesetter is loaded, and shows the source of invalid ones [BL-08]', async () => {
    const container = draw('$x^2$ and\n\n$$\n\\frac{1}{2}\n$$\n\n$\\frac{$')
    await vi.waitFor(() => expect(container.querySelectorAll('.katex').length).toBe(2), 10_000)
    expect(container.querySelector('.katex-display')).toBeTruthy()
    expect(container.querySelector('.md-math-source')?.textContent).toBe('\\frac{')
  })

  it('copies a table as cells, and code unchanged', async () => {
    const user = userEvent.setup()
    draw('| a | **b** |\n| - | - |\n| 1 | `2` |\n\n```ts\nlet a = 1\n```\n')
    await user.click(screen.getByRole('button', { name: 'Copy table' }))
    expect(await navigator.clipboard.readText()).toBe('a\tb\n1\t2')
    await user.click(screen.getByRole('button', { name: 'Copy code' }))
    expect(await navigator.clipboard.readText()).toBe('let a = 1')
    expect(screen.getAllByRole('button', { name: 'Copied' }).length).toBeGreaterThan(0)
  })

  it('numbers footnotes and links them in both directions', () => {
    draw('a[^x] b[^y] c[^x]\n\n[^y]: second\n[^x]: first')
    expect(screen.getAllByRole('link', { name: 'Note 1' })).toHaveLength(2)
    expect(screen.getByRole('region', { name: 'Notes' }).textContent).toContain('first')
  })

  it('keeps the elements of finished blocks while text arrives', () => {
    const { container, rerender } = render(<Markdown text={'# One\n\ntext'} growing />)
    const heading = container.querySelector('h3')
    rerender(<Markdown text={'# One\n\ntext and\n\n- more'} growing />)
    rerender(<Markdown text={'# One\n\ntext and\n\n- more'} />)
    expect(container.querySelector('h3')).toBe(heading)
    expect(container.querySelectorAll('li')).toHaveLength(1)
  })

  it('gives every block its own direction, and code left to right', () => {
    const container = draw(
      '## عنوان\n\nمرحبا `npm i` و $x$.\n\nEnglish.\n\n1. عنصر\n2. item\n\n> اقتباس\n\n| الاسم | 1 |\n|---|---|\n| Anna | 2 |\n\n```\nمرحبا\n```',
    )
    const directions = (selector: string) =>
      [...container.querySelectorAll(selector)].map((element) => element.getAttribute('dir'))
    expect(directions('.md > p')).toEqual(['auto', 'auto'])
    expect(directions('h4, blockquote p')).toEqual(['auto', 'auto'])
    expect(directions('ol, li')).toEqual(['rtl', 'rtl', 'ltr'])
    expect(directions('blockquote, .md-table')).toEqual(['rtl', 'rtl'])
    expect(directions('th, td')).toEqual(['auto', null, 'auto', null])
    expect(directions('p code, .md-math, .md-code')).toEqual(['ltr', 'ltr', 'ltr'])
  })

  it('shows a hundred rows of a long table, and all on request', async () => {
    const rows = Array.from({ length: 150 }, (_, at) => `| ${at} |`).join('\n')
    const container = draw(`| n |\n| - |\n${rows}\n`)
    expect(container.querySelectorAll('tbody tr')).toHaveLength(100)
    await userEvent.click(screen.getByRole('button', { name: 'Show all 150 rows' }))
    expect(container.querySelectorAll('tbody tr')).toHaveLength(150)
  })
})

const hostile = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 1">',
  '<svg onload="window.hit = 1"></svg>',
  '<iframe srcdoc="<script>parent.hit = 1</script>"></iframe>',
  '<a href="javascript:window.hit=1">x</a>',
  '<details open ontoggle="window.hit = 1">x</details>',
  '<math><maction actiontype="statusline#" xlink:href="javascript:window.hit=1">x</maction></math>',
  '<style>@import "javascript:window.hit=1"</style>',
  '<kbd onclick="window.hit = 1">k</kbd>',
  '<br onclick="window.hit = 1">',
  '[x](javascript:window.hit=1)',
  '[x](JaVaScRiPt:window.hit=1)',
  '[x](java\tscript:window.hit=1)',
  '[x](&#106;avascript:window.hit=1)',
  '[x](\u0001javascript:window.hit=1)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](javascript:window.hit=1)',
  '![x](data:text/html,<script>window.hit=1</script>)',
  '<javascript:window.hit=1>',
  '[x]: javascript:window.hit=1\n\n[x]',
  '$\\href{javascript:window.hit=1}{x}$',
  '$$\n\\htmlData{x=1}{y} \\includegraphics{javascript:window.hit=1} \\url{javascript:window.hit=1}\n$$',
  '```html\n<script>window.hit = 1</script>\n```',
  '| <img src=x onerror=window.hit=1> |\n| - |\n| <script>window.hit=1</script> |',
  '[^1]\n\n[^1]: <img src=x onerror=window.hit=1>',
]

describe('hostile text', () => {
  it.each(hostile)('runs nothing: %j', async (text) => {
    const container = draw(`${text}\n\nafter`)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const elements = [...container.querySelectorAll('*')]
    expect(container.querySelector('script, iframe, object, embed, style, form, base, link, meta')).toBeNull()
    for (const element of elements) {
      const attributes = [...element.attributes]
      expect(attributes.filter(({ name }) => name.startsWith('on'))).toEqual([])
      expect(attributes.filter(({ value }) => /^\s*(javascript|vbscript|data:text)/i.test(value))).toEqual([])
    }
    expect('hit' in window).toBe(false)
    expect(container.textContent).toContain('after')
  })
})
