import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { PagePicture } from './page-picture.tsx'
import { PasswordForm } from './password-form.tsx'
import { PdfPages } from './pdf-pages.ts'
import { Thumbnails } from './thumbnails.tsx'

beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(132)
})
afterEach(() => {
  vi.restoreAllMocks()
  leavePage()
})

/** Returns a fake PDF with damaged pages. */
const damaged = () => {
  const pdf = {
    numPages: 2,
    getPage: () => Promise.reject(new Error('damaged')),
  } as unknown as PDFDocumentProxy
  return new PdfPages(pdf, { width: 595, height: 842 }, async () => undefined)
}

test('shows an error in place of a page that cannot be drawn [PD-10]', async () => {
  await renderPage(<PagePicture pages={damaged()} number={1} zoom={1} onShown={() => undefined} />, {})
  expect(await screen.findByText('This page could not be shown.')).toBeTruthy()
})

test('shows an error in place of a thumbnail and still links to its page [PD-10]', async () => {
  const onPage = vi.fn()
  await renderPage(<Thumbnails pages={damaged()} current={1} onPage={onPage} />, {})
  await waitFor(() => expect(screen.getAllByText('No preview')).toHaveLength(2))
  screen.getByRole('button', { name: 'Page 2' }).click()
  expect(onPage).toHaveBeenCalledWith(2)
})

test('asks for the password of a protected PDF, and says that one is wrong', async () => {
  const onPassword = vi.fn()
  await renderPage(<PasswordForm isWrong onPassword={onPassword} />, {})
  expect(screen.getByText('This password is wrong.')).toBeTruthy()
  const open = screen.getByRole<HTMLButtonElement>('button', { name: 'Open' })
  expect(open.disabled).toBe(true)
  await userEvent.type(screen.getByLabelText('Password'), 'harbour')
  await userEvent.click(open)
  expect(onPassword).toHaveBeenCalledExactlyOnceWith('harbour')
})
