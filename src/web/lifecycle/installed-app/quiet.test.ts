import { render } from '@testing-library/react'
import { createElement } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { TemporaryBar } from '../../chat/temporary-chats/temporary-chats.tsx'
import { reloadOnce } from '../../platform/lib/early/reload-once.ts'
import { noteReplying } from '../../platform/lib/kept/replying.ts'
import { Strip } from '../../platform/recorder/recorder-strip.tsx'
import { createQuiet } from './quiet.ts'

let quiet: ReturnType<typeof createQuiet>
let visibility: DocumentVisibilityState
beforeEach(() => {
  visibility = 'hidden'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  noteReplying(false)
  quiet = createQuiet()
})
afterEach(() => {
  quiet.stop()
  vi.restoreAllMocks()
  vi.useRealTimers()
  document.body.replaceChildren()
})

function type(text: string) {
  const field = document.body.appendChild(document.createElement('input'))
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
  return field
}

describe('quiet page', () => {
  it('may reload while it is hidden', () => {
    expect(quiet.isQuiet()).toBe(true)
  })

  it('may not reload while a reply streams', () => {
    noteReplying(true)
    expect(quiet.isQuiet()).toBe(false)
  })

  it('may not reload while typed text is on the page', () => {
    const field = type('Half a name')
    expect(quiet.isQuiet()).toBe(false)
    field.value = ''
    expect(quiet.isQuiet()).toBe(true)
    type('Sent').remove()
    expect(quiet.isQuiet()).toBe(true)
  })

  it('may not reload while a dialog is open', () => {
    document.body.append(Object.assign(document.createElement('div'), { role: 'dialog' }))
    expect(quiet.isQuiet()).toBe(false)
  })

  it('may not reload during a recording', () => {
    const { container } = render(
      createElement(Strip, { recorder: { state: 'recording', seconds: 70, levels: [] } as never }),
    )
    expect(quiet.isQuiet()).toBe(false)
    container.remove()
    expect(quiet.isQuiet()).toBe(true)
  })

  it('may not reload while a temporary chat is open, which ends with the page', async () => {
    const bar = createElement(TemporaryBar, { sessionId: 'a', isEmpty: false, onClose: () => undefined })
    const { unmount } = await renderPage(bar, { answers: { 'DELETE /sessions/a': () => ({}) } })
    expect([quiet.isQuiet(), reloadOnce()]).toEqual([false, false])
    unmount()
    expect(quiet.isQuiet()).toBe(true)
    leavePage()
  })

  it('may reload in sight after a minute without input', () => {
    quiet.stop()
    vi.useFakeTimers()
    quiet = createQuiet()
    visibility = 'visible'
    expect(quiet.isQuiet()).toBe(false)
    vi.advanceTimersByTime(50_000)
    dispatchEvent(new Event('keydown'))
    vi.advanceTimersByTime(50_000)
    expect(quiet.isQuiet()).toBe(false)
    vi.advanceTimersByTime(11_000)
    expect(quiet.isQuiet()).toBe(true)
  })
})
