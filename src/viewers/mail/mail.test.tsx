import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { KeptMail } from '#shared/knowledge/documents/kept-files.ts'
import { aChunk } from '#tests/web/chunk-builder.ts'
import { aDocument, aPage } from '#tests/web/document-builder.ts'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import MailView from './view.tsx'

const user = userEvent.setup()
beforeEach(() => {
  prepareBrowser()
  Element.prototype.scrollIntoView = vi.fn()
})
afterEach(() => leavePage())

const aMail = (given: Partial<KeptMail> = {}): KeptMail => ({
  ...{ from: 'Bob <bob@b.example>', to: 'Ada <ada@a.example>', cc: 'Claire <claire@c.example>' },
  ...{ date: '2026-10-29T10:07:00.000Z', subject: 'The invoice', text: 'Hello Ada,\n\nit is wrong.\n\nBob' },
  ...{ attachments: [], remote_pictures: 0 },
  ...given,
})

async function open(mail: KeptMail, { passage = '', language = 'en' } = {}) {
  const document = aDocument({ name: 'a.eml' })
  const inner = mail.attachments.map((name) => aDocument({ name, parent_id: document.id, size: 2048 }))
  const opened = vi.fn()
  const linkTo = (id: string) => ({
    href: `/documents/${id}`,
    onClick: (event: { preventDefault: () => void }) => {
      event.preventDefault()
      opened(id)
    },
  })
  const chunk = passage ? aChunk({ text: passage }) : null
  const page = await renderPage(<MailView document={document} chunk={chunk} linkTo={linkTo} />, {
    language,
    answers: {
      [`GET /documents/${document.id}/files/mail.json`]: () => mail,
      'GET /documents': ({ query }) =>
        aPage(query.get('parent_id') === document.id ? inner.toReversed() : [], query),
    },
  })
  await screen.findByRole('heading', { name: mail.subject })
  return { ...page, document, inner, opened }
}

const frame = (name: string) => screen.getByTitle<HTMLIFrameElement>(name)

describe('mail viewer', () => {
  it('shows the header and links each attachment to its document [IN-13]', async () => {
    const { inner, opened } = await open(aMail({ attachments: ['Invoice.pdf', 'Detail.xlsx'] }))
    const head = ['From', 'To', 'Cc', 'Date'].map((name) => screen.getByText(name).nextSibling?.textContent)
    expect(head).toEqual([
      'Bob <bob@b.example>',
      'Ada <ada@a.example>',
      'Claire <claire@c.example>',
      expect.stringMatching(/^Thursday,? 29 October 2026/),
    ])
    const attached = within(screen.getByRole('region', { name: 'Attachments' }))
    const links = await attached.findAllByRole('link')
    expect(links.map(({ textContent }) => textContent?.replace(/\s/g, ' '))).toEqual([
      'PDFInvoice.pdf2 KB',
      'XLSDetail.xlsx2 KB',
    ])
    expect(links[0]?.getAttribute('href')).toBe(`/documents/${inner[0]?.id}`)
    await user.click(links[1]!)
    expect(opened).toHaveBeenCalledWith(inner[1]?.id)
  })

  it('formats the date in the reader’s language', async () => {
    await open(aMail(), { language: 'fr' })
    expect(screen.getByText('Date').nextSibling?.textContent).toMatch(/^jeudi 29 octobre 2026/)
  })

  it('shows the mail in a frame without scripts or loading, and names the blocked pictures', async () => {
    await open(aMail({ html: '<p>Hello</p>', remote_pictures: 2 }))
    expect(screen.getByText('2 pictures on the web are not loaded.')).toBeTruthy()
    const { srcdoc } = frame('The invoice')
    expect(frame('The invoice').getAttribute('sandbox')).not.toMatch(/scripts|forms|top-navigation|modals/)
    expect(srcdoc).toMatch(/^<meta http-equiv="content-security-policy" content="default-src 'none';/)
    expect(srcdoc).not.toMatch(/script-src|img-src [^;]*http|connect-src/)
  })

  it('marks the requested passage in text and HTML mails', async () => {
    await open(aMail(), { passage: 'Hello Ada,\nit is wrong.' })
    const marked = [...document.querySelectorAll('[data-passage]')].map(({ textContent }) => textContent)
    expect(marked).toEqual(['Hello Ada,', 'it is wrong.'])
    expect(Element.prototype.scrollIntoView).toHaveBeenCalled()
    leavePage()
    await open(aMail({ html: '<div><p>It is\n wrong.</p><p>Bob</p></div>' }), {
      passage: 'Hello It is wrong.',
    })
    const page = new DOMParser().parseFromString(frame('The invoice').srcdoc, 'text/html')
    expect([...page.querySelectorAll('[data-passage]')].map(({ textContent }) => textContent)).toEqual([
      'It is\n wrong.',
    ])
  })
})
