// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { setLive } from '../../platform/lib/api/query-client.ts'
import { usePresence } from './use-presence.ts'

afterEach(() => {
  leavePage()
  setLive(false)
  vi.restoreAllMocks()
})

function Probe() {
  usePresence()
  return null
}

it('reports a tab in use while changes are pushed to it, and once when it loses the focus', async () => {
  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  const reports: unknown[] = []
  const note = ({ body }: { body: unknown }) => {
    reports.push((body as { is_present: boolean }).is_present)
    return null
  }
  await renderPage(<Probe />, { answers: { 'PUT /notifications/presence': note } })
  const say = (name: string) => act(async () => void window.dispatchEvent(new Event(name)))
  await say('focus')
  expect(reports).toEqual([])
  setLive(true)
  await say('focus')
  await vi.waitFor(() => expect(reports).toEqual([true]))
  focus.mockReturnValue(false)
  await say('blur')
  await say('blur')
  await vi.waitFor(() => expect(reports).toEqual([true, false]))
})
