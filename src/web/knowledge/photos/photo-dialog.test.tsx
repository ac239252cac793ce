import { act } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { PhotoDialog } from './photo-dialog.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  leavePage()
})

it('frees the pixels of its photo, and of the larger one it came from', async () => {
  const freed: string[] = []
  const picture = (width: number, name: string) => ({
    ...{ width, height: width, close: () => freed.push(name) },
  })
  const open = async (from: unknown) =>
    from instanceof File ? picture(8000, 'whole') : picture(3200, 'small')
  vi.stubGlobal('createImageBitmap', open)
  Object.assign(URL, { createObjectURL: () => 'blob:photo', revokeObjectURL: () => undefined })
  const photo = new File(['x'], 'page.jpg', { type: 'image/jpeg' })
  const { unmount } = await renderPage(
    <PhotoDialog photo={photo} onDone={() => undefined} onClose={() => undefined} />,
    { answers: {} },
  )
  await act(async () => undefined)
  expect(freed).toEqual(['whole'])
  unmount()
  await vi.waitFor(() => expect(freed).toEqual(['whole', 'small']))
})
