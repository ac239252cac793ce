import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import texts from '../../../../locales/en/streaming_blocks.json' with { type: 'json' }
import { forgetKept } from '../../platform/lib/kept/kept.ts'
import { giveDraft, readDraft } from './drafts.ts'
import { Composer } from './message-field.tsx'

beforeAll(() =>
  i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { streaming_blocks: texts } } }),
)
afterEach(() => {
  cleanup()
  forgetKept()
})

const given = { placeholder: 'Write', isStreaming: false, isStopping: false, onStop: () => undefined }

function draw({ isStreaming = false, takes = true } = {}) {
  const sent: string[] = []
  const onStop = vi.fn()
  const props = { ...given, isStreaming, onStop }
  const onSend = (text: string) => {
    sent.push(text)
    return takes
  }
  const view = render(<Composer sessionId="a" {...props} onSend={onSend} />)
  const show = (sessionId: string | null) =>
    view.rerender(<Composer sessionId={sessionId} {...props} onSend={onSend} />)
  return {
    sent,
    onStop,
    show,
    user: userEvent.setup(),
    field: () => screen.getByRole<HTMLTextAreaElement>('textbox'),
  }
}

describe('composer', () => {
  it('sends and empties the field on Enter, and starts a new line on Shift Enter', async () => {
    const { user, field, sent } = draw()
    await user.type(field(), 'one{Shift>}{Enter}{/Shift}two{Enter}')
    expect(sent).toEqual(['one\ntwo'])
    expect(field().value).toBe('')
  })

  it('keeps a text that was refused [MS-12]', async () => {
    const { user, field } = draw({ takes: false })
    await user.type(field(), 'one{Enter}')
    expect(field().value).toBe('one')
  })

  it('does not send on an Enter that confirms a word of an input method', () => {
    const { field, sent } = draw()
    fireEvent.change(field(), { target: { value: 'にほん' } })
    fireEvent.keyDown(field(), { key: 'Enter', isComposing: true })
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 })
    expect(sent).toEqual([])
    fireEvent.keyDown(field(), { key: 'Enter' })
    expect(sent).toEqual(['にほん'])
  })

  it('starts a new line on Enter of a touch keyboard, and sends with the button', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      ...{ matches: query === '(pointer: coarse)', addEventListener() {}, removeEventListener() {} },
    }))
    const { user, field, sent } = draw()
    expect(field().getAttribute('enterkeyhint')).toBe('enter')
    await user.type(field(), 'one{Enter}two')
    expect(sent).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(sent).toEqual(['one\ntwo'])
    await user.type(field(), 'three{ArrowLeft}{ArrowRight}')
    expect(field().getAttribute('enterkeyhint')).toBe('send')
    await user.type(field(), '{Enter}')
    expect(sent).toEqual(['one\ntwo', 'three'])
    vi.unstubAllGlobals()
  })

  it('grows with its text up to 150 px [MS-13]', () => {
    vi.stubGlobal('CSS', undefined)
    const { field } = draw()
    Object.defineProperty(field(), 'scrollHeight', { configurable: true, value: 90 })
    fireEvent.change(field(), { target: { value: 'a\nb' } })
    expect(field().style.height).toBe('90px')
    Object.defineProperty(field(), 'scrollHeight', { configurable: true, value: 900 })
    fireEvent.change(field(), { target: { value: 'a\n'.repeat(60) } })
    expect(field().style.height).toBe('150px')
    vi.unstubAllGlobals()
  })

  it('keeps a draft per session', async () => {
    const { user, field, show } = draw()
    await user.type(field(), 'for a')
    show('b')
    expect(field().value).toBe('')
    await user.type(field(), 'for b')
    show('a')
    expect(field().value).toBe('for a')
    expect(readDraft('b')).toBe('for b')
  })

  it('restores drafts after a reload, for each session and for the chat that does not exist yet', async () => {
    const { user, field, show } = draw()
    await user.type(field(), 'for a')
    show(null)
    await user.type(field(), 'for a new one')
    cleanup()
    vi.resetModules()
    const { Composer: Reloaded } = await import('./message-field.tsx')
    const again = render(<Reloaded sessionId={null} {...given} onSend={() => true} />)
    expect(field().value).toBe('for a new one')
    again.rerender(<Reloaded sessionId="a" {...given} onSend={() => true} />)
    expect(field().value).toBe('for a')
  })

  it('inserts a returned text before what was typed since', async () => {
    const { user, field } = draw()
    await user.type(field(), 'since')
    act(() => giveDraft('a', 'first'))
    expect(field().value).toBe('first\nsince')
    act(() => giveDraft('b', 'elsewhere'))
    expect(field().value).toBe('first\nsince')
  })

  it('stops a streaming reply with the button, and queues the text on Enter', async () => {
    const { user, field, sent, onStop } = draw({ isStreaming: true })
    await user.type(field(), 'later{Enter}')
    expect(sent).toEqual(['later'])
    expect(field().value).toBe('')
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(onStop).toHaveBeenCalledOnce()
  })
})
