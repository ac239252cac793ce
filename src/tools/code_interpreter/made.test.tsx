import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { MadeFiles } from './made.tsx'

afterEach(leavePage)

const table = (id: string) => ({
  ...{ type: 'media_reference' as const, id, name: 'table.xlsx', size: 12_300 },
  ...{ url: `/api/v1/assets/tools/${id}/table.xlsx`, download_url: null },
})

describe('file made by a tool', () => {
  it('has a type, a size and a download, and can be previewed once it is in the library [XB-07]', async () => {
    const user = userEvent.setup()
    const page = await renderPage(<MadeFiles files={[table('m1')]} />, {
      path: '/chat/session-1',
      answers: {
        'GET /assets/tools/m1/table.xlsx': () => 'bytes',
        'POST /documents/upload': () => ({ id: 'd1' }),
      },
    })
    const row = await screen.findByRole('listitem')
    expect(row.textContent).toMatch(/table\.xlsx.*XLS · 12/)
    expect(screen.getByRole('button', { name: 'Download table.xlsx' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save table.xlsx to the library' }))
    const link = await screen.findByRole('link', { name: 'Preview' })
    expect(link.getAttribute('href')).toContain('d1')
    await waitFor(() => expect(page.sent.filter(({ path }) => path === '/documents/upload')).toHaveLength(1))
    // After remounting, it is not saved again.
    page.unmount()
    await renderPage(<MadeFiles files={[table('m1')]} />, { path: '/chat/session-1' })
    expect(await screen.findByRole('link', { name: 'Preview' })).toBeTruthy()
  })
})
