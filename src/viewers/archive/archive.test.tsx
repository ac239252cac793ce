import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aDocument, aPage } from '#tests/web/document-builder.ts'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import ArchiveView from './view.tsx'

beforeEach(() => prepareBrowser())
afterEach(() => leavePage())

async function open(count: number) {
  const document = aDocument({ name: 'Files.zip' })
  const inner = Array.from({ length: count }, (_, at) =>
    aDocument({ name: `${at}.txt`, parent_id: document.id }),
  )
  const linkTo = (id: string) => ({ href: `/documents/${id}`, onClick: () => undefined })
  await renderPage(<ArchiveView document={document} chunk={null} linkTo={linkTo} />, {
    answers: { 'GET /documents': ({ query }) => aPage(inner, query) },
  })
  return inner
}

describe('archive viewer', () => {
  it('lists its files as links to their documents and loads more on request', async () => {
    const inner = await open(130)
    expect(await screen.findByText('130 files, each a document of its own')).toBeTruthy()
    expect(screen.getAllByRole('link')).toHaveLength(100)
    await userEvent.click(screen.getByRole('button', { name: 'Show more files' }))
    expect(await screen.findByText('129.txt')).toBeTruthy()
    const links = screen.getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual(inner.map(({ id }) => `/documents/${id}`))
  })

  it('retries the reading of a failed file', async () => {
    const failed = aDocument({ name: 'scan.pdf', status: 'failed' })
    const document = aDocument({ name: 'Files.zip' })
    const { sent } = await renderPage(
      <ArchiveView
        document={document}
        chunk={null}
        linkTo={() => ({ href: '#', onClick: () => undefined })}
      />,
      {
        answers: {
          'GET /documents': ({ query }) => aPage([failed], query),
          [`POST /documents/${failed.id}/retry`]: () => ({ ...failed, status: 'queued' }),
        },
      },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Retry scan.pdf' }))
    await waitFor(() => expect(sent.filter(({ path }) => path === '/documents')).toHaveLength(2))
    expect(sent.map(({ path }) => path)).toContain(`/documents/${failed.id}/retry`)
  })

  it('shows a message when it has no readable files', async () => {
    await open(0)
    expect(await screen.findByText('No file in this archive')).toBeTruthy()
  })
})
