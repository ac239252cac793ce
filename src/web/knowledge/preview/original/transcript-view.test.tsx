import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { aDocument } from '#tests/web/document-builder.ts'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { PreviewView } from '../preview-view.tsx'

beforeEach(() => prepareBrowser())
afterEach(() => {
  vi.restoreAllMocks()
  leavePage()
})

const transcript = aDocument({ name: 'Weekly.vtt', normalized_extension: 'txt', duration: 65 })
const recordingNamed = (name: string) =>
  aDocument({ id: crypto.randomUUID(), name, normalized_extension: 'mp4', duration: 66, version: 3 })

async function show(recordings: Document[]) {
  const path = `/documents/${transcript.id}`
  const page = { items: recordings, total: recordings.length, page: 1, has_more: false }
  return renderPage(<PreviewView />, {
    path,
    answers: {
      ...{
        [`GET ${path}`]: () => transcript,
        'GET /documents/': () => transcript,
        'GET /documents': () => page,
      },
      [`GET ${path}/elements`]: () => ({ parts: [], total_parts: 0 }),
      ...Object.fromEntries(
        recordings.map(({ id }) => [
          `POST /documents/${id}/playback`,
          () => ({ ticket: id, media_type: 'video/mp4' }),
        ]),
      ),
    },
  })
}

describe('a transcript', () => {
  it('plays the recording of the same name', async () => {
    const [other, recording] = [recordingNamed('Other.mp4'), recordingNamed('weekly.mp4')]
    const { sent } = await show([other, recording])
    await waitFor(() =>
      expect(sent.filter(({ method }) => method === 'POST')).toMatchObject([
        { path: `/documents/${recording.id}/playback`, body: { version: 3 } },
      ]),
    )
  })

  it('is text without one, and plays a recording that is chosen', async () => {
    const other = recordingNamed('Other.mp4')
    const { sent } = await show([other])
    const choice = await screen.findByRole('combobox', { name: 'Recording' })
    expect(sent.some(({ method }) => method === 'POST')).toBe(false)
    await userEvent.selectOptions(choice, 'Other.mp4')
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'POST')?.path).toBe(`/documents/${other.id}/playback`),
    )
  })
})
