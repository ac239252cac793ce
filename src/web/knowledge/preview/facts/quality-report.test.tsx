import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Report } from '#shared/knowledge/documents/documents.ts'
import { aDocument } from '#tests/web/document-builder.ts'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { QualityReport } from './quality-report.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(leavePage)

const report: Report = {
  ...{ pages: 3, pages_without_text: 0, pages_by_ocr: 0, ocr_confidence: null, tables: 0, figures: 0 },
  ...{ words: 12, languages: ['en'], warnings: [] },
}
const document = aDocument({ name: 'Contract.docx' })

const show = (found: Report) =>
  renderPage(<QualityReport document={document} />, {
    answers: {
      [`GET /documents/${document.id}/report`]: () => found,
      [`POST /documents/${document.id}/reprocess`]: () => document,
    },
  })

describe('the report of a reading', () => {
  it('says pages without text, pages by recognition and how sure, tables, languages, and what to look at [IN-09]', async () => {
    const found: Report = {
      ...report,
      ...{ pages: 52, pages_without_text: 2, pages_by_ocr: 7, ocr_confidence: 0.94, tables: 11 },
      languages: ['fr', 'en'],
      warnings: [
        { code: 'pages_by_ocr', values: { pages: 7 } },
        { code: 'pages_skipped', values: { count: 3 } },
      ],
    }
    await show(found)
    await user.click(await screen.findByRole('button', { name: '2 remarks' }))
    const dialog = within(await screen.findByRole('dialog'))
    const fact = (name: string) => dialog.getByText(name).nextSibling?.textContent
    expect(fact('Pages')).toBe('52')
    expect(fact('Pages without text')).toBe('2')
    expect(fact('Pages read by text recognition')).toBe('7, 94% sure')
    expect(fact('Tables')).toBe('11')
    expect(fact('Language')).toBe('French, English')
    expect(dialog.getByText(/7 pages are pictures/)).toBeTruthy()
    expect(dialog.getByText(/3 pages were left out/)).toBeTruthy()
  })

  it('says how many letters of the pages were read, and never rounds up to all', async () => {
    const found: Report = { ...report, warnings: [], letters: { drawn: 2_000_000, missing: 1 } }
    await show(found)
    await user.click(await screen.findByRole('button', { name: 'Read without remarks' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Letters in the file').nextSibling?.textContent).toBe('99.99% of 2,000,000 read')
  })

  it('lets a person choose the encoding that was guessed, and reads the text again', async () => {
    const warnings = [{ code: 'encoding_guessed', values: { encoding: 'windows-1252' } }]
    const app = await show({ ...report, warnings })
    await user.click(await screen.findByRole('button', { name: '1 remark' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/It was read as .*Western European \(Windows-1252\)/)).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Read again' }).hasAttribute('disabled')).toBe(true)
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Encoding' }), 'Cyrillic (Windows-1251)')
    await user.click(dialog.getByRole('button', { name: 'Read again' }))
    expect(app.sent.find(({ method }) => method === 'POST')?.body).toEqual({
      pipeline: document.processing_pipeline,
      encoding: 'windows-1251',
    })
  })
})
