import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { categoryOf } from '#shared/knowledge/documents/file-kinds.ts'
import { aDocument, anEmptyState, aPage } from '#tests/web/document-builder.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'

const user = userEvent.setup()
beforeEach(() => {
  prepareBrowser()
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1000)
  globalThis.URL.createObjectURL = () => 'blob:1'
  globalThis.URL.revokeObjectURL = () => undefined
})
afterEach(() => {
  vi.restoreAllMocks()
  leaveApp()
})

const contract = aDocument({ name: 'Contract.pdf', tags: ['Legal'] })

function open(path: string, state = anEmptyState, role: 'member' | 'company_admin' = 'member') {
  const server: Answers = {
    'GET /documents': ({ query }) => aPage([contract], query),
    'GET /documents/state': () => state,
    'GET /workspaces': () => ({ items: [], total: 0, has_more: false, page: 1 }),
    [`GET /documents/${contract.id}`]: () => contract,
    [`PATCH /documents/${contract.id}`]: () => ({ ...contract, is_starred: true }),
    [`GET /documents/${contract.id}/content`]: () => new Response('bytes'),
    [`DELETE /documents/${contract.id}`]: () => new Response(null, { status: 204 }),
  }
  return renderApp(path, { token: 't', answers: aServer(server, aUser({ role })) })
}
const card = async () => (await screen.findByRole('link', { name: 'Contract.pdf' })).closest('article')!
const choose = async (name: string) => {
  await user.click(within(await card()).getByRole('button', { name: 'More for Contract.pdf' }))
  await user.click(await screen.findByRole('menuitem', { name }))
}

describe('library document', () => {
  it('is a card, a list row, a compact row, or an icon; the address says which [DO-06]', async () => {
    const { hrefNow } = await open('/documents')
    const look = async () => {
      const { className, textContent } = await card()
      const [says, date] = [textContent ?? '', (await card()).querySelector('time, .doc-facts')]
      return {
        className,
        saysSize: /2\.1\sMB/.test(says),
        hasDate: date !== null,
        hasTags: says.includes('Legal'),
      }
    }
    expect(await look()).toEqual({ className: 'doc-card', saysSize: true, hasDate: true, hasTags: false })
    const variants = { list: 'List', compact: 'Compact list', icon: 'Icons' }
    const seen: Record<string, unknown> = {}
    for (const [variant, name] of Object.entries(variants)) {
      await user.click(screen.getByRole('button', { name }))
      await waitFor(() => expect(hrefNow()).toContain(`view=${variant}`))
      expect(screen.getByRole('button', { name, pressed: true })).toBeTruthy()
      seen[variant] = await look()
    }
    expect(seen).toEqual({
      list: { className: 'doc-row', saysSize: true, hasDate: true, hasTags: true },
      compact: { className: 'doc-row doc-compact', saysSize: true, hasDate: false, hasTags: false },
      icon: { className: 'doc-icon', saysSize: false, hasDate: false, hasTags: false },
    })
  })

  it.each(['default', 'list', 'compact', 'icon'])(
    'as %s can be selected, starred, viewed, inspected, downloaded and deleted [DO-07]',
    async (view) => {
      const { called, hrefNow } = await open(`/documents?view=${view}`)
      await user.click(within(await card()).getByRole('checkbox', { name: 'Select Contract.pdf' }))
      expect(await screen.findByRole('toolbar', { name: 'Selected documents' })).toBeTruthy()
      await user.click(within(await card()).getByRole('checkbox', { name: 'Select Contract.pdf' }))
      await user.click(within(await card()).getByRole('button', { name: 'Star Contract.pdf' }))
      await waitFor(() =>
        expect(called(`PATCH /documents/${contract.id}`)[0]?.body).toEqual({ is_starred: true }),
      )
      await choose('Show details')
      const details = await screen.findByRole('dialog', { name: 'Contract.pdf' })
      expect(details.textContent).toContain('48 pages')
      await user.keyboard('{Escape}')
      await choose('Download')
      await screen.findByText('Contract.pdf was saved.', {}, { timeout: 15_000 })
      await choose('Delete')
      const dialog = await screen.findByRole('dialog', { name: 'Delete Contract.pdf?' })
      await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
      await waitFor(() => expect(called(`DELETE /documents/${contract.id}`)).toHaveLength(1))
      await choose('View')
      await waitFor(() => expect(hrefNow()).toBe(`/documents/preview/${contract.id}`))
    },
  )

  it.each([
    ['images', 'jpg jpeg png gif webp bmp tiff tif'],
    ['pdf', 'pdf'],
    ['office', 'doc docx ppt pptx xls xlsx odt ods odp rtf'],
    ['markdown', 'md markdown'],
    ['text', 'txt text vtt srt sbv'],
    ['html', 'html htm'],
    ['media', 'mp3 mp4 wav ogg webm'],
  ])('is one of the %s by its extension: %s [DO-11]', (category, extensions) => {
    for (const extension of extensions.split(' '))
      expect([extension, categoryOf(extension), categoryOf(extension.toUpperCase())]).toEqual([
        ...[extension, category, category],
      ])
    expect(categoryOf('exe')).toBeNull()
  })
})

describe('filter and order of the library', () => {
  it('are part of the address [IN-16]', async () => {
    const given = {
      ...{ type: 'office', status: 'failed', starred: 'true', language: 'fr', tag: 'Legal', q: 'lease' },
      ...{ from: '2026-03-09', to: '2026-03-31', min_size: '1048576', max_size: '10485760' },
    }
    const asked = { ...given, from: '', to: '' }
    for (const sort of ['date', 'name', 'size', 'type', 'status', 'workspace', 'star', 'language']) {
      const query = new URLSearchParams({ ...given, sort, order: 'asc' })
      const { called } = await open(`/documents?${query}`)
      const last = () => Object.fromEntries(called('GET /documents').at(-1)?.query ?? [])
      await waitFor(() =>
        expect(last()).toMatchObject({
          sort,
          order: 'asc',
          ...asked,
          from: expect.any(String),
          to: expect.any(String),
        }),
      )
      expect(new Date(last().from ?? '').toISOString()).toBe(new Date('2026-03-09T00:00:00').toISOString())
      expect(new Date(last().to ?? '').toISOString()).toBe(new Date('2026-03-31T23:59:59.999').toISOString())
      leaveApp()
    }
  })
})

describe('server without some programs', () => {
  const missing = [{ program: 'ffmpeg', package: 'ffmpeg', formats: ['mp4', 'mov'] }]
  const words =
    'MP4, MOV files need ffmpeg. Install the package ffmpeg on the server, then start Atrium again.'

  it('tells only administrators what it cannot read and what to install [IN-10]', async () => {
    await open('/documents', { ...anEmptyState, missing }, 'company_admin')
    expect(await screen.findByText(words)).toBeTruthy()
    leaveApp()
    await open('/documents', { ...anEmptyState, missing })
    await card()
    expect(screen.queryByText(words)).toBeNull()
  })
})
