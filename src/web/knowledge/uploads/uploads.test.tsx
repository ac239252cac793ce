import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PART_BYTES } from '#shared/knowledge/documents/uploads.ts'
import { aDocument } from '#tests/web/document-builder.ts'
import { fakeTransport } from '#tests/web/fake-transport.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { readChosen, readDropped } from './dropped-files.ts'
import { addFiles, cancelAll, closeUploads, useUploads } from './queue.ts'
import { UploadPanel } from './upload-panel.tsx'
import { UploadsLeft } from './uploads-left.tsx'

const user = userEvent.setup()
beforeEach(() => {
  window.matchMedia = (() => ({ matches: false, addEventListener() {}, removeEventListener() {} })) as never
})
afterEach(() => {
  cancelAll()
  closeUploads()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  leavePage()
})

const aFile = (name: string, size = 10) => ({ file: new File(['x'.repeat(size)], name), path: '' })
const UPLOAD = 'POST /documents/upload'
const openPanel = (answers: Answers = {}, language = 'en') =>
  renderPage(<UploadPanel />, { answers, language })

describe('uploads', () => {
  it('sends three files concurrently, with fields before the file, and the others afterwards', async () => {
    const gates: (() => void)[] = []
    const { forms } = fakeTransport({
      [UPLOAD]: async () => {
        await new Promise<void>((open) => gates.push(open))
        return [201, aDocument()]
      },
    })
    await openPanel()
    addFiles(
      ['a', 'b', 'c', 'd'].map((name) => aFile(`${name}.pdf`)),
      { workspaceId: 'w', pipeline: 'normal' },
    )
    await waitFor(() => expect(gates).toHaveLength(3))
    expect(await screen.findByText('1 waiting')).toBeTruthy()
    expect(Object.keys(forms()[0] ?? {})).toEqual(['file', 'bytes', 'workspace_id', 'processing_pipeline'])
    gates[0]?.()
    await waitFor(() => expect(gates).toHaveLength(4))
    for (const open of gates) open()
    await screen.findByText('4 files uploaded')
  })

  it('keeps the folder path of a file', async () => {
    const { forms } = fakeTransport({ [UPLOAD]: () => [201, aDocument()] })
    await openPanel()
    const file = new File(['x'], 'lease.pdf')
    Object.defineProperty(file, 'webkitRelativePath', { value: 'Real estate/Lyon/lease.pdf' })
    addFiles(readChosen([file, new File([''], '.DS_Store')]), {})
    await waitFor(() => expect(forms()).toEqual([{ file: 'lease.pdf', bytes: 1, path: 'Real estate/Lyon' }]))
  })

  it('sends a dropped folder file by file, each with its path [IN-17]', async () => {
    const { forms } = fakeTransport({ [UPLOAD]: () => [201, aDocument()] })
    await openPanel()
    const file = (name: string) => ({
      ...{ name, isFile: true, isDirectory: false },
      file: (done: (found: File) => void) => done(new File(['x'], name)),
    })
    const folder = (name: string, children: unknown[]) => {
      const pieces = [children, []]
      const readEntries = (done: (piece: unknown[]) => void) => done(pieces.shift() ?? [])
      return { name, isFile: false, isDirectory: true, createReader: () => ({ readEntries }) }
    }
    const dropped = folder('Offers', [file('a.pdf'), folder('2026', [file('b.pdf'), file('.DS_Store')])])
    const items = [{ webkitGetAsEntry: () => dropped }, { webkitGetAsEntry: () => file('c.pdf') }]
    addFiles(await readDropped({ items, files: [] } as never), {})
    await waitFor(() => expect(forms()).toHaveLength(3))
    expect(forms().map((form) => [form.file, form.path])).toEqual([
      ['a.pdf', 'Offers'],
      ['b.pdf', 'Offers/2026'],
      ['c.pdf', undefined],
    ])
  })

  it("sends a large file in parts, and resumes after a lost connection at the server's position", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 })
    const size = PART_BYTES + 100
    const upload = { id: 'u', name: 'film.mp4', size }
    let cuts = 1
    const { forms } = fakeTransport({
      'POST /documents/uploads/u/parts': ({ body }) => {
        const { offset, bytes } = body as { offset: string; bytes: number }
        if (Number(offset) > 0 && cuts-- > 0) throw new Error('cut')
        return { ...upload, received: Number(offset) + bytes }
      },
    })
    const { sent } = await openPanel({
      'POST /documents/uploads': () => [201, { ...upload, received: 0 }],
      'GET /documents/uploads/u': () => ({ ...upload, received: PART_BYTES }),
      'POST /documents/uploads/u/complete': () => [201, aDocument({ name: 'film.mp4' })],
    })
    addFiles([{ file: new File([new Uint8Array(size)], 'film.mp4'), path: 'Films' }], { sessionId: 's' })
    await waitFor(() => expect(useUploads.getState().items[0]?.state).toBe('done'), { timeout: 8000 })
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /documents/uploads',
      'GET /documents/uploads/u',
      'POST /documents/uploads/u/complete',
    ])
    expect(sent[0]?.body).toEqual({ name: 'film.mp4', size, chat_session_id: 's', path: 'Films' })
    expect(forms().map(({ offset, bytes }) => [offset, bytes])).toEqual([
      ['0', PART_BYTES],
      [String(PART_BYTES), 100],
      [String(PART_BYTES), 100],
    ])
    vi.useRealTimers()
  })

  it("resumes after a reload with the same file, at the server's position [IN-05]", async () => {
    const size = PART_BYTES + 100
    const upload = { id: 'u', name: 'film.mp4', size, received: PART_BYTES }
    const { forms } = fakeTransport({
      'POST /documents/uploads/u/parts': () => ({ ...upload, received: size }),
    })
    const answers = {
      'GET /documents/uploads': () => ({ items: [upload] }),
      'GET /documents/uploads/u': () => upload,
      'POST /documents/uploads/u/complete': () => [201, aDocument({ name: 'film.mp4' })] as const,
    }
    let input = document.createElement('input')
    const make = document.createElement.bind(document)
    vi.spyOn(document, 'createElement').mockImplementation((tag: string) => {
      const made = make(tag)
      if (tag === 'input') input = made as HTMLInputElement
      return made
    })
    const choose = async (file: File) => {
      await user.click(await screen.findByRole('button', { name: 'Choose film.mp4 again' }))
      Object.defineProperty(file, 'webkitRelativePath', { value: '' })
      Object.defineProperty(input, 'files', { value: [file] })
      act(() => void input.dispatchEvent(new Event('change')))
    }
    const { sent } = await renderPage(<UploadsLeft />, { answers })
    await choose(new File(['x'], 'other.mp4'))
    expect(await screen.findByText(/That is another file/)).toBeTruthy()
    await choose(new File([new Uint8Array(size)], 'film.mp4'))
    await waitFor(() => expect(useUploads.getState().items[0]?.state).toBe('done'))
    expect(forms()).toMatchObject([{ offset: String(PART_BYTES), bytes: 100 }])
    expect(sent.map(({ method }) => method)).not.toContain('DELETE')
    expect(screen.queryByText('film.mp4')).toBeNull()
  })

  it('can discard an interrupted large file', async () => {
    let items = [{ id: 'u', name: 'film.mp4', size: 200, received: 20 }]
    await renderPage(<UploadsLeft />, {
      language: 'fr',
      answers: {
        'GET /documents/uploads': () => ({ items }),
        'DELETE /documents/uploads/u': () => {
          items = []
          return new Response(null, { status: 204 })
        },
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Abandonner ce qui est arrivé de film.mp4' }))
    await waitFor(() => expect(screen.queryByText('film.mp4')).toBeNull())
  })

  it('shows the sent bytes, and can be cancelled [IN-04]', async () => {
    const { sent } = fakeTransport({ [UPLOAD]: () => new Promise(() => undefined) })
    await openPanel()
    addFiles([aFile('a.pdf', 4096)], {})
    expect((await screen.findByText(/^2\sKB of 4\sKB$/)).closest('li')?.textContent).toContain('a.pdf')
    expect(screen.getByRole('progressbar', { name: 'a.pdf' }).getAttribute('aria-valuenow')).toBe('50')
    await user.click(screen.getByRole('button', { name: 'Cancel a.pdf' }))
    await waitFor(() => expect(screen.queryByText('a.pdf')).toBeNull())
    expect([useUploads.getState().items, sent.length]).toEqual([[], 1])
  })

  it('deletes parts on the server when cancelled [IN-04]', async () => {
    fakeTransport({ 'POST /documents/uploads/u/parts': () => new Promise(() => undefined) })
    const { sent } = await openPanel({
      'POST /documents/uploads': () => [201, { id: 'u', name: 'film.mp4', size: 1, received: 0 }],
      'DELETE /documents/uploads/u': () => new Response(null, { status: 204 }),
    })
    addFiles([{ file: new File([new Uint8Array(PART_BYTES + 1)], 'film.mp4'), path: '' }], {})
    await waitFor(() => expect(useUploads.getState().items[0]?.sent).toBeGreaterThan(0))
    await user.click(await screen.findByRole('button', { name: 'Cancel film.mp4' }))
    await waitFor(() => expect(sent.at(-1)).toMatchObject({ method: 'DELETE', path: '/documents/uploads/u' }))
    expect(useUploads.getState().items).toEqual([])
  })

  it.each([
    [
      413,
      'quota_exceeded',
      'Your storage is full. Delete chats or files you no longer need, and empty the trash.',
    ],
    [413, 'too_large', '10 B is larger than one file may be.'],
    [507, 'storage_full', 'The storage of the server is full. Ask your administrator.'],
    [402, 'insufficient_balance', 'Insufficient balance. Please top up to continue.'],
    [422, 'invalid', 'The server does not take this file.'],
  ])('says in words that the server refused: %i %s', async (status, code, words) => {
    fakeTransport({ [UPLOAD]: () => [status, { code, detail: 'no' }] })
    await openPanel()
    addFiles([aFile('a.pdf')], {})
    await waitFor(() => expect(document.body.textContent?.replaceAll('\u00a0', ' ')).toContain(words))
    await screen.findByText('1 not uploaded')
  })

  it('refuses empty and oversized files before sending, and retries a failed one', async () => {
    let isBroken = true
    const { forms } = fakeTransport({ [UPLOAD]: () => (isBroken ? [500, {}] : [201, aDocument()]) })
    await openPanel()
    addFiles([aFile('empty.pdf', 0), aFile('large.pdf', 50), aFile('b.pdf')], {}, 20)
    await screen.findByText('3 not uploaded')
    expect(forms().map(({ file }) => file)).toEqual(['b.pdf'])
    expect(screen.getByText('The file is empty.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Upload large.pdf again' })).toBeNull()
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Upload b.pdf again' }))
    await screen.findByText('1 file uploaded, 2 not')
  })

  it('asks before the page is closed during an upload', async () => {
    fakeTransport({ [UPLOAD]: () => new Promise(() => undefined) })
    await openPanel({}, 'fr')
    addFiles([aFile('a.pdf')], {})
    await user.click(await screen.findByRole('button', { name: 'Fermer les envois' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: 'Arrêter l’envoi' }))
    await waitFor(() => expect(useUploads.getState().items).toEqual([]))
  })
})
