import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import type { DocumentVersion } from '#shared/knowledge/documents/versions.ts'
import { aDocument, anEmptyState, aPage } from '#tests/web/document-builder.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => {
  vi.restoreAllMocks()
  leaveApp()
})

const me = aUser()
const of = (version: number, size: number, more: Partial<DocumentVersion> = {}): DocumentVersion => ({
  ...{ version, name: `offer ${version}.txt`, size, created_at: `2026-11-0${version}T08:00:00.000Z` },
  ...{ processing_pipeline: 'normal', status: 'completed', is_same_file: false, is_in_use: version === 3 },
  ...more,
})

/** Opens a document whose third version is in use. */
async function open({ query = '', owner = me.id } = {}) {
  const files = ['digitized.md', 'text.md']
  const newest = aDocument({
    ...{ name: 'offer 3.txt', normalized_extension: 'txt', version: 3, newest_version: 3, user_id: owner },
    doc_metadata: { ...aDocument().doc_metadata, files },
  })
  const older: Document = { ...newest, version: 1, name: 'offer 1.txt' }
  const path = `/documents/${newest.id}`
  const app = await renderApp(path + query, {
    token: 't',
    answers: aServer(
      {
        'GET /documents': ({ query }) => aPage([newest], query),
        'GET /documents/state': () => anEmptyState,
        'GET /workspaces': () => ({ items: [], total: 0, has_more: false, page: 1 }),
        [`GET ${path}`]: ({ query }) => (query.get('version') === '1' ? older : newest),
        [`GET ${path}/files/digitized.md`]: ({ query }) => new Response(`Words of ${query.get('version')}`),
        [`GET ${path}/versions`]: () => ({
          ...{ total: 3, page: 1, has_more: false },
          items: [of(3, 4096), of(2, 2048, { is_same_file: true }), of(1, 2048)],
        }),
        [`POST ${path}/versions/1/restore`]: () => ({ ...newest, version: 4, newest_version: 4 }),
      },
      me,
    ),
  })
  return { ...app, path }
}

const versions = async () => {
  await user.click(await screen.findByRole('button', { name: 'Versions' }))
  return within(await screen.findByRole('dialog', { name: 'Versions' }))
}

describe('versions of a document', () => {
  it('are listed by time and size; one can be opened and shown', async () => {
    const app = await open()
    expect(await screen.findByText('Words of 3')).toBeTruthy()
    const dialog = await versions()
    const rows = (await dialog.findAllByRole('listitem')).map(({ textContent }) => textContent ?? '')
    expect(rows[0]).toMatch(/Version 3In use.*2026.*4(\.0)?\sKB, 2(\.0)?\sKB larger/)
    expect(rows[1]).toContain('the same file, read another way')
    expect(rows[2]).toContain('offer 1.txt')
    await user.click(dialog.getByRole('button', { name: 'Open: Version 1' }))
    expect(await screen.findByText('Words of 1')).toBeTruthy()
    expect(app.hrefNow()).toBe(`${app.path}?version=1`)
    expect(screen.getByText('This is version 1. The one in use is version 3.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show the newest' }))
    expect(await screen.findByText('Words of 3')).toBeTruthy()
  })

  it('can be restored from the list, and from the shown version', async () => {
    const app = await open({ query: '?version=1' })
    const restored = () => app.sent.filter(({ path }) => path.endsWith('/versions/1/restore')).length
    await user.click(await screen.findByRole('button', { name: 'Bring back' }))
    await waitFor(() => expect([restored(), app.hrefNow()]).toEqual([1, app.path]))
    const dialog = await versions()
    await user.click(await dialog.findByRole('button', { name: 'Bring back: Version 1' }))
    expect(await screen.findByText('Version 1 is in use again.')).toBeTruthy()
    await waitFor(() => expect(restored()).toBe(2))
  })

  it('are read-only for people who do not own the document', async () => {
    await open({ owner: crypto.randomUUID() })
    const dialog = await versions()
    expect(await dialog.findByRole('button', { name: 'Open: Version 1' })).toBeTruthy()
    expect(dialog.queryByRole('button', { name: /Bring back|newer version/ })).toBeNull()
  })
})
