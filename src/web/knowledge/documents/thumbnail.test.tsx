import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { chipLabel } from '#shared/knowledge/documents/file-kinds.ts'
import { aDocument } from '#tests/web/document-builder.ts'
import { Thumbnail } from './library/thumbnail.tsx'

describe('Thumbnail', () => {
  it.each(['vtt', 'srt', 'sbv', 'VTT'])('shows the captions of a transcript: %s', (extension) => {
    const { container } = render(
      <QueryClientProvider client={new QueryClient()}>
        <Thumbnail document={{ ...aDocument({ name: `Meeting.${extension}` }), extension }} />
      </QueryClientProvider>,
    )
    expect(container.querySelector('.thumb-tile .lucide-captions')).not.toBeNull()
    expect(chipLabel(extension)).toBe('TXT')
  })
})
