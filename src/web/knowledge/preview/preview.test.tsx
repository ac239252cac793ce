import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { aChunk } from '#tests/web/chunk-builder.ts'
import { aDocument, anEmptyState, aPage } from '#tests/web/document-builder.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => {
  vi.restoreAllMocks()
  leaveApp()
})

const report = {
  ...{ pages: 3, pages_without_text: 0, pages_by_ocr: 0, ocr_confidence: null, tables: 0, figures: 0 },
  ...{ words: 12, languages: ['en'], warnings: [] },
}
const metadata = (given: Partial<Document['doc_metadata']>) => ({ ...aDocument().doc_metadata, ...given })
const text = (words: string) => () => new Response(words)

/** A processed document with Markdown and text, whose kind has no viewer. */
const read = () =>
  aDocument({
    name: 'Contract.docx',
    doc_metadata: metadata({
      files: ['digitized.md', 'text.md'],
      markdown_content: '# Contract',
      text_markdown_content: 'Contract',
    }),
  })

async function open(
  document: Document,
  more: Answers = {},
  path = `/documents/${document.id}`,
  role = 'member',
) {
  const answers = aServer(
    {
      'GET /documents': ({ query }) => aPage([document], query),
      'GET /documents/state': () => anEmptyState,
      'GET /workspaces': () => ({ items: [], total: 0, has_more: false, page: 1 }),
      [`GET /documents/${document.id}`]: () => document,
      [`GET /documents/${document.id}/report`]: () => report,
      [`GET /documents/${document.id}/files/digitized.md`]: text('# What was read'),
      [`GET /documents/${document.id}/files/text.md`]: text('Only its words'),
      ...more,
    },
    aUser({ role: role as 'member' }),
  )
  return renderApp(path, { token: 't', answers })
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const modes = () => within(screen.getByRole('group', { name: 'What is shown' }))

describe('addresses of documents', () => {
  it('show the library at `/documents`, and the document at `/documents/{id}` and `/documents/preview/{id}` [RT-06]', async () => {
    const document = read()
    await open(document, {}, '/documents')
    expect(await heading('All documents')).toBeTruthy()
    leaveApp()
    for (const path of [`/documents/${document.id}`, `/documents/preview/${document.id}`]) {
      await open(document, {}, path)
      expect(await heading('Contract.docx')).toBeTruthy()
      leaveApp()
    }
  })
})

describe('processed document', () => {
  it('is shown in its original, digitized or as plain text, as the address says [PV-01]', async () => {
    const app = await open(read())
    expect(await screen.findByRole('heading', { name: 'What was read' })).toBeTruthy()
    await user.click(modes().getByRole('button', { name: 'Text' }))
    expect(await screen.findByText('Only its words')).toBeTruthy()
    expect(app.hrefNow()).toContain('view=text')
    await user.click(modes().getByRole('button', { name: 'Original' }))
    expect(await screen.findByText('DOCX files cannot be shown here')).toBeTruthy()
    expect(modes().getByRole('button', { name: 'Original' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('shows its name, status, type, size, date and pipeline in its header [PV-02]', async () => {
    await open(read())
    expect(await heading('Contract.docx')).toBeTruthy()
    expect(screen.getByText('Completed')).toBeTruthy()
    expect(screen.getByText(/DOCX · 2\.1 MB · 48 pages · 14 Nov 2026, \d\d:00/)).toBeTruthy()
    expect(screen.getByRole('button', { name: /Read as: Normal/ })).toBeTruthy()
  })

  it('copies its text and says so, warns if there is none, and reports a failure [PV-04]', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await open(read())
    await user.click(await screen.findByRole('button', { name: 'Copy the text' }))
    expect(await screen.findByText('The text was copied.')).toBeTruthy()
    expect(navigator.clipboard.writeText).toHaveBeenCalledWith('# Contract')
    leaveApp()

    await open(aDocument({ doc_metadata: metadata({ markdown_content: ' ' }) }))
    await user.click(await screen.findByRole('button', { name: 'Copy the text' }))
    expect(await screen.findByText('There is no text to copy.')).toBeTruthy()
    leaveApp()

    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await open(read())
    await user.click(await screen.findByRole('button', { name: 'Copy the text' }))
    expect(await screen.findByText('The text could not be copied.')).toBeTruthy()
  })

  it('copies a long text too, which is loaded separately', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const long = metadata({ files: ['digitized.md'], markdown_content: null })
    await open(aDocument({ doc_metadata: long }))
    await user.click(await screen.findByRole('button', { name: 'Copy the text' }))
    await waitFor(() => expect(navigator.clipboard.writeText).toHaveBeenCalledWith('# What was read'))
  })

  it('is deleted and navigates back to the library; in a workspace it is only removed from that one', async () => {
    const document = read()
    const deleted = { [`DELETE /documents/${document.id}`]: () => null }
    const app = await open(document, deleted)
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(app.hrefNow()).toBe('/documents'))
    expect(app.sent.find(({ method }) => method === 'DELETE')?.query.size).toBe(0)
    leaveApp()

    const workspace = { 'GET /workspaces/w1': () => ({ id: 'w1', name: 'Legal', document_count: 1 }) }
    const path = `/documents/workspace/w1/preview/${document.id}`
    const inside = await open(document, { ...deleted, ...workspace }, path)
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Remove Contract.docx from Legal?')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(inside.hrefNow()).toBe('/documents/workspace/w1'))
    expect(inside.sent.find(({ method }) => method === 'DELETE')?.query.get('workspace_id')).toBe('w1')
  })

  it('can be copied, downloaded, inspected by super admins, deleted and closed [PV-03]', async () => {
    const names = ['Copy the text', 'Download', 'Debug', 'Delete', 'Close the document']
    const buttons = () => names.filter((name) => screen.queryByRole('button', { name }) !== null)
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const document = read()
    const answers = {
      [`GET /documents/${document.id}/content`]: text('bytes'),
      [`DELETE /documents/${document.id}`]: () => null,
    }
    await open(document, answers, `/documents/${document.id}`, 'super_admin')
    await heading('Contract.docx')
    expect(buttons()).toEqual(names)
    leaveApp()
    const app = await open(document, answers)
    await heading('Contract.docx')
    expect(buttons()).toEqual(names.toSpliced(2, 1))
    await user.click(screen.getByRole('button', { name: 'Copy the text' }))
    await waitFor(() => expect(navigator.clipboard.writeText).toHaveBeenCalledWith('# Contract'))
    await user.click(screen.getByRole('button', { name: 'Download' }))
    await waitFor(() => expect(saved).toEqual(['Contract.docx']))
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(app.hrefNow()).toBe('/documents'))
  })

  it('navigates back to the library when closed', async () => {
    const app = await open(read())
    await user.click(await screen.findByRole('button', { name: 'Close the document' }))
    await waitFor(() => expect(app.hrefNow()).toBe('/documents'))
  })
})

describe('requested passage', () => {
  const document = read()
  const chunk = aChunk({ id: 'c1' })
  const answers = { [`GET /documents/${document.id}/chunks/c1`]: () => ({ ...chunk, version: 1 }) }

  it('selects the original view once the document is completed [PV-06]', async () => {
    await open(document, answers, `/documents/${document.id}?chunk=c1`)
    expect(await screen.findByText('DOCX files cannot be shown here')).toBeTruthy()
    leaveApp()
    const atWork = { ...document, status: 'in_progress' as const, current_phase: 'PARSING' as const }
    await open(atWork, answers, `/documents/${document.id}?chunk=c1`)
    expect(await screen.findByRole('list', { name: 'Steps of the reading' })).toBeTruthy()
    expect(screen.queryByText('DOCX files cannot be shown here')).toBeNull()
  })

  it('is shown in the digitized view if the address says so', async () => {
    await open(document, answers, `/documents/${document.id}?chunk=c1&view=digitized`)
    expect(await screen.findByRole('heading', { name: 'What was read' })).toBeTruthy()
  })

  it('of an earlier version opens that version and says so', async () => {
    const newer = { ...document, version: 2 }
    await open(newer, answers, `/documents/${document.id}?chunk=c1`)
    expect(await screen.findByText(/stands in version 1 of the file/)).toBeTruthy()
  })

  it('is reported if it is missing [PD-10]', async () => {
    await open(document, {}, `/documents/${document.id}?chunk=gone`)
    expect(await screen.findByText(/passage you were looking for is not in this document/)).toBeTruthy()
  })
})

describe('unfinished document', () => {
  const atWork = (given: Partial<Document> = {}) =>
    aDocument({ status: 'in_progress', current_phase: 'CHUNKING_ENRICHMENT', ...given })

  it('shows its progress, and offers no view modes [PV-05]', async () => {
    const progress = { done: 31, total: 52, seconds_left: 80 }
    await open(atWork({ current_phase: 'PARSING', progress }))
    expect(await screen.findByRole('list', { name: 'Steps of the reading' })).toBeTruthy()
    expect(screen.getByText(/31 of 52, about 1 min left/)).toBeTruthy()
    expect(screen.queryByRole('group', { name: 'What is shown' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Digitized' })).toBeNull()
  })

  it('can be viewed as soon as the original or the text is available, and says what is missing', async () => {
    const picture = { name: 'Plan.html', normalized_extension: 'html', extension: 'html' }
    const document = atWork({ ...picture, current_phase: 'PARSING', doc_metadata: metadata({ files: [] }) })
    const content = { [`GET /documents/${document.id}/content`]: text('<p>Prices</p>') }
    await open(document, content)
    expect(await screen.findByTitle('Plan.html')).toBeTruthy()
    expect(screen.getByText(/It can be searched once that is done/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Stop reading' })).toBeTruthy()
    leaveApp()
    await open({ ...read(), status: 'in_progress', current_phase: 'EMBEDDING', is_found_by_words: true })
    expect(await screen.findByText(/Keyword search finds it now/)).toBeTruthy()
    expect(await screen.findByRole('heading', { name: 'What was read' })).toBeTruthy()
    expect(screen.queryByRole('group', { name: 'What is shown' })).toBeNull()
    leaveApp()
    await open({ ...read(), status: 'failed', failure: { code: 'cancelled', values: {} } })
    expect(await screen.findByRole('heading', { name: 'What was read' })).toBeTruthy()
    expect(screen.getByText('You can look at it, but it cannot be searched.')).toBeTruthy()
    leaveApp()
    await open(
      atWork({
        ...read(),
        status: 'in_progress',
        current_phase: 'PARSING',
        doc_metadata: metadata({ files: [] }),
      }),
    )
    expect(await screen.findByRole('list', { name: 'Steps of the reading' })).toBeTruthy()
    expect(screen.queryByText(/look at it|already open it/)).toBeNull()
  })

  it('says that it is being converted, and shows its phase in lower case [PV-07]', async () => {
    await open(atWork({ doc_metadata: metadata({ converted_from: 'doc' }) }))
    expect(await screen.findByText(/The DOC file is being converted/)).toBeTruthy()
    expect(screen.getByText('enriching')).toBeTruthy()
    leaveApp()
    await open(atWork())
    expect(await screen.findByText('enriching')).toBeTruthy()
    expect(screen.queryByText(/is being converted/)).toBeNull()
  })

  it('has a track of five steps: completed ones, the current one, and remaining ones [PV-13]', async () => {
    await open(atWork())
    const steps = within(await screen.findByRole('list', { name: 'Steps of the reading' })).getAllByRole(
      'listitem',
    )
    expect(steps.map((step) => [step.textContent, step.dataset.state])).toEqual([
      ['UploadThe file arrives', 'done'],
      ['ParsingText, tables and places are read', 'done'],
      ['EnrichingIt is cut into passages', 'current'],
      ['IndexingThe passages become searchable', 'later'],
      ['CompletedRead and ready', 'later'],
    ])
    expect(steps.map((step) => step.getAttribute('aria-current'))).toEqual([null, null, 'step', null, null])
  })

  it('can be stopped, and resumed where it was', async () => {
    const document = atWork()
    const stopped = { ...document, status: 'failed' as const, failure: { code: 'cancelled', values: {} } }
    let now: Document = document
    const app = await open(document, {
      [`GET /documents/${document.id}`]: () => now,
      [`POST /documents/${document.id}/cancel`]: () => {
        now = stopped
        return now
      },
      [`POST /documents/${document.id}/retry`]: () => {
        now = document
        return now
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Stop reading' }))
    expect(await screen.findByText('You stopped it. It can resume where it stopped.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Go on' }))
    expect(await screen.findByRole('button', { name: 'Stop reading' })).toBeTruthy()
    expect(
      app.sent.filter(({ method }) => method === 'POST').map(({ path }) => path.split('/').at(-1)),
    ).toEqual(['cancel', 'retry'])
  })

  it('says why it failed', async () => {
    const failure = { code: 'empty', values: {} }
    await open(aDocument({ status: 'failed', current_phase: 'PARSING', failure }))
    expect(await screen.findByText('The file is empty.')).toBeTruthy()
  })
})

describe('pipeline of a document', () => {
  const menu = async () => user.click(await screen.findByRole('button', { name: /Read as/ }))

  it('is a badge, and becomes a choice once it is completed or failed [PV-11]', async () => {
    const names = { low_latency: 'Fast', normal: 'Normal', improved: 'Thorough' } as const
    for (const [pipeline, name] of Object.entries(names)) {
      const processing_pipeline = pipeline as keyof typeof names
      await open(aDocument({ processing_pipeline, status: 'in_progress', current_phase: 'PARSING' }))
      expect(await screen.findByText(name)).toBeTruthy()
      expect(screen.queryByRole('button', { name: /Read as/ })).toBeNull()
      leaveApp()
    }
    for (const status of ['completed', 'failed'] as const) {
      await open(aDocument({ status, current_phase: status === 'failed' ? 'PARSING' : null }))
      await menu()
      const entries = await screen.findAllByRole('menuitem')
      expect(entries.map(({ textContent }) => textContent)).toEqual(['Fast', 'Normal', 'Thorough'])
      leaveApp()
    }
  })

  it('can be changed: says so and reprocesses the document, or shows an error [PV-12]', async () => {
    const document = read()
    const path = `POST /documents/${document.id}/reprocess`
    const app = await open(document, { [path]: () => ({ ...document, status: 'queued' }) })
    await menu()
    const looks = () =>
      app.sent.filter((one) => one.method === 'GET' && one.path === `/documents/${document.id}`)
    const before = looks().length
    await user.click(await screen.findByRole('menuitem', { name: 'Thorough' }))
    expect(await screen.findByText('The document is read again.')).toBeTruthy()
    expect(app.sent.find(({ method }) => method === 'POST')?.body).toEqual({ pipeline: 'improved' })
    await waitFor(() => expect(looks().length).toBeGreaterThan(before))
    leaveApp()

    await open(document, { [path]: () => [409, { detail: 'It is at work.', code: 'conflict' }] })
    await menu()
    await user.click(await screen.findByRole('menuitem', { name: 'Fast' }))
    expect(await screen.findByRole('alert')).toBeTruthy()
  })
})

describe('missing document', () => {
  it('is reported with a link to the library', async () => {
    const app = await open(read(), {}, '/documents/gone')
    expect(await screen.findByRole('heading', { name: 'This document is not there', level: 2 })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show all documents' }))
    await waitFor(() => expect(app.hrefNow()).toBe('/documents'))
  })
})
