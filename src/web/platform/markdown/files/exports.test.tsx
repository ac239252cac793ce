import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTexts } from '#tests/web/render-page.tsx'
import { ToastHost } from '../../ui/toasts/toast-host.tsx'
import { TableExports } from '../context.ts'
import { Markdown } from '../markdown.tsx'
import { saveTable } from './save-block.ts'

const user = userEvent.setup()
const saved: { name: string; content: Blob }[] = []
beforeEach(async () => {
  await startTexts('en')
  saved.length = 0
  let content = new Blob()
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => {
      content = blob
      return 'blob:x'
    },
    revokeObjectURL: () => undefined,
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, content })
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const source = '| Name | Sum |\n|---|---|\n| **Ada** \\| <b> | =1+1 |\n| Bo | -5.5 |\n| Cy | 007 |'
const show = (text = source) =>
  render(
    <>
      <Markdown text={text} />
      <ToastHost />
    </>,
  )
const open = async () => user.click(await screen.findByRole('button', { name: 'Export table' }))

/** Chooses a format and returns the file. */
async function exported(format: string) {
  show()
  await open()
  await user.click(await screen.findByRole('menuitem', { name: new RegExp(`^${format}`) }))
  await waitFor(() => expect(saved).toHaveLength(1), { timeout: 15_000 })
  const { name = '', content = new Blob() } = saved[0] ?? {}
  return {
    name,
    type: content.type,
    text: await content.text(),
    bytes: new Uint8Array(await content.arrayBuffer()),
  }
}

describe('table export', () => {
  it('offers Excel, CSV, HTML, Markdown and JSON with their extensions [EX-02]', async () => {
    show()
    await open()
    const entries = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(entries).toEqual(['Excel.xlsx', 'CSV.csv', 'HTML.html', 'Markdown.md', 'JSON.json'])
  })

  it('offers the additional targets of a view [EX-02]', async () => {
    const run = vi.fn()
    render(
      <TableExports value={[{ label: 'Send to the warehouse', run }]}>
        <Markdown text={source} />
      </TableExports>,
    )
    await open()
    await user.click(await screen.findByRole('menuitem', { name: 'Send to the warehouse' }))
    expect(run).toHaveBeenCalledExactlyOnceWith({
      head: ['Name', 'Sum'],
      rows: [
        ['Ada | <b>', '=1+1'],
        ['Bo', '-5.5'],
        ['Cy', '007'],
      ],
    })
  })

  it.each([
    ['Excel', 'xlsx'],
    ['CSV', 'csv'],
    ['HTML', 'html'],
    ['Markdown', 'md'],
    ['JSON', 'json'],
  ])('as %s has a name of its own that ends in .%s [EX-02, EX-03]', async (format, ending) => {
    const { name } = await exported(format)
    expect(name).toMatch(new RegExp(`^table-[\\d-]{19}-\\w{1,4}\\.${ending}$`))
    expect(await screen.findByText(`Downloaded as .${ending} file.`)).toBeTruthy()
  })

  it('uses the CSV separators of the language and no formulas [EX-02]', async () => {
    const { bytes, text } = await exported('CSV')
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(text).toContain("Name,Sum\r\nAda | <b>,'=1+1\r\nBo,-5.5\r\nCy,007\r\n")
  })

  it('writes an HTML table with escaped text [EX-02]', async () => {
    const { text } = await exported('HTML')
    const page = new DOMParser().parseFromString(text, 'text/html')
    const rows = [...page.querySelectorAll('tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    )
    expect(rows).toEqual([
      ['Name', 'Sum'],
      ['Ada | <b>', '=1+1'],
      ['Bo', '-5.5'],
      ['Cy', '007'],
    ])
    expect(page.querySelector('b')).toBeNull()
  })

  it('writes the same table as Markdown [EX-02]', async () => {
    const { text } = await exported('Markdown')
    expect(text).toBe('| Name | Sum |\n| --- | --- |\n| Ada \\| <b> | =1+1 |\n| Bo | -5.5 |\n| Cy | 007 |\n')
  })

  it('writes one JSON object per row [EX-02]', async () => {
    const { text } = await exported('JSON')
    expect(JSON.parse(text)).toEqual([
      { Name: 'Ada | <b>', Sum: '=1+1' },
      { Name: 'Bo', Sum: '-5.5' },
      { Name: 'Cy', Sum: '007' },
    ])
  })

  it('writes Excel numbers as numbers, and no formulas [EX-02]', async () => {
    const { bytes } = await exported('Excel')
    const sheet = await entryOf(bytes, 'xl/worksheets/sheet1.xml')
    expect(sheet).toContain('<v>-5.5</v>')
    expect(sheet).not.toContain('<f>')
    expect(sheet).not.toContain('<v>7</v>')
    expect(sheet + (await entryOf(bytes, 'xl/sharedStrings.xml'))).toContain('=1+1')
  })

  it.each([
    [[], 'csv', 'The table has no rows to export.'],
    [[['1']], 'pdf', 'Unsupported format: pdf'],
  ])('requires rows and a known format [EX-04]', async (rows, format, words) => {
    render(<ToastHost />)
    await saveTable({ head: ['A'], rows }, format)
    expect(await screen.findByText(words)).toBeTruthy()
    expect(saved).toEqual([])
  })
})

describe('code export', () => {
  it.each([
    ['javascript', 'js'],
    ['python', 'py'],
    ['csharp', 'cs'],
    ['bash', 'sh'],
    ['typescript', 'ts'],
    ['kotlin', 'kt'],
    ['sql', 'sql'],
  ])('saves %s as a file that ends in .%s, and says so [EX-03, EX-05]', async (language, ending) => {
    show(`\`\`\`${language}\nrun(1)\n\`\`\``)
    await user.click(await screen.findByRole('button', { name: 'Download code' }))
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]?.name).toMatch(new RegExp(`^code-[\\d-]{19}-\\w{1,4}\\.${ending}$`))
    expect(await saved[0]?.content.text()).toBe('run(1)')
    expect(await screen.findByText(`Downloaded as .${ending} file.`)).toBeTruthy()
  })

  it('copies code and says so on the button for two seconds [EX-06]', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText')
    show('```js\nrun(1)\n```')
    const button = await screen.findByRole('button', { name: 'Copy code' })
    write.mockResolvedValue(undefined)
    const before = Date.now()
    await user.click(button)
    expect(await screen.findByText('Copied to the clipboard.')).toBeTruthy()
    expect(button.getAttribute('aria-label')).toBe('Copied')
    await waitFor(() => expect(button.getAttribute('aria-label')).toBe('Copy code'), { timeout: 4_000 })
    expect(Date.now() - before).toBeGreaterThan(1_900)
    write.mockRejectedValue(new Error('No.'))
    await user.click(button)
    expect(await screen.findByText('It could not be copied.')).toBeTruthy()
    expect(button.getAttribute('aria-label')).toBe('Copy code')
  })
})

/** Returns a text file of an archive by its entry in the central directory. */
async function entryOf(zip: Uint8Array<ArrayBuffer>, name: string): Promise<string> {
  const view = new DataView(zip.buffer, zip.byteOffset)
  const words = (at: number, length: number) => new TextDecoder().decode(zip.subarray(at, at + length))
  for (let at = 0; at + 46 < zip.length; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue
    if (words(at + 46, view.getUint16(at + 28, true)) !== name) continue
    const from = view.getUint32(at + 42, true)
    const start = from + 30 + view.getUint16(from + 26, true) + view.getUint16(from + 28, true)
    const content = new Response(zip.slice(start, start + view.getUint32(at + 20, true)))
    if (view.getUint16(at + 10, true) === 0) return content.text()
    return new Response(content.body?.pipeThrough(new DecompressionStream('deflate-raw'))).text()
  }
  return ''
}
