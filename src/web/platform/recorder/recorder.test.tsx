import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { Recorder } from './recorder.tsx'
import { nameOf } from './use-recorder.ts'

const mp3 = new Blob(['sound'], { type: 'audio/mpeg' })
const track = { stop: vi.fn(), label: 'USB audio' }
const getUserMedia = vi.fn()
let tap: { port: { onmessage?: (event: { data: Float32Array }) => void } } | null = null

/** A fake of the browser's audio API, as far as pages can observe it. */
class FakeContext {
  sampleRate = 48_000
  audioWorklet = { addModule: async () => undefined }
  createMediaStreamSource = () => ({ connect: () => undefined, disconnect: () => undefined })
  close = async () => undefined
}
class FakeTap {
  port = {}
  constructor() {
    tap = this
  }
}
class FakeWorker {
  onmessage?: (event: { data: Blob }) => void
  postMessage(request: object) {
    if ('isOver' in request) this.onmessage?.({ data: mp3 })
  }
  terminate() {}
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  getUserMedia.mockReset().mockResolvedValue({ getTracks: () => [track], getAudioTracks: () => [track] })
  track.stop.mockClear()
  vi.stubGlobal('AudioContext', FakeContext)
  vi.stubGlobal('AudioWorkletNode', FakeTap)
  vi.stubGlobal('Worker', FakeWorker)
  const mediaDevices = { getUserMedia, enumerateDevices: async () => [] }
  Object.defineProperty(navigator, 'mediaDevices', { value: mediaDevices, configurable: true })
  Object.assign(URL, { createObjectURL: () => 'blob:sound', revokeObjectURL: () => undefined })
})
afterEach(() => {
  leavePage()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const saved: File[] = []
const onAttach = vi.fn()
function Composer() {
  const [place, setPlace] = useState<Element | null>(null)
  return (
    <>
      <div ref={setPlace} />
      <Recorder place={place} disabled={false} onSave={(file) => saved.push(file)} onAttach={onAttach} />
    </>
  )
}

async function open() {
  saved.splice(0)
  await renderPage(<Composer />)
  await press('Record sound')
}
const press = async (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
const hear = (level: number) => act(() => tap?.port.onmessage?.({ data: new Float32Array(2048).fill(level) }))
const clock = () => screen.getByRole('time').textContent
const names = () =>
  screen.getAllByRole('button').map((one) => one.getAttribute('aria-label') ?? one.textContent)

describe('recorder', () => {
  it('records, pauses, resumes and stops; a stopped recording is saved or discarded [RE-01, RE-02]', async () => {
    await open()
    expect(names()).toEqual(expect.arrayContaining(['Pause', 'Stop']))
    await press('Pause')
    expect(screen.getByText('Paused')).toBeTruthy()
    expect(names()).toEqual(expect.arrayContaining(['Resume', 'Stop']))
    await press('Resume')
    expect(screen.queryByText('Paused')).toBeNull()
    await press('Stop')
    expect(track.stop).toHaveBeenCalled()
    expect(names()).toEqual(expect.arrayContaining(['Listen', 'Discard', 'Save']))
    expect(saved).toEqual([])
    await press('Save')
    expect(screen.queryByRole('region', { name: 'Recording' })).toBeNull()
    expect(saved.map(({ type, size }) => [type, size])).toEqual([['audio/mpeg', mp3.size]])
    await press('Record sound')
    await press('Stop')
    await press('Discard')
    expect(await screen.findByText('Discard the recording?')).toBeTruthy()
    await act(async () => fireEvent.click(screen.getAllByRole('button', { name: 'Discard' }).at(-1)!))
    expect(screen.queryByRole('region', { name: 'Recording' })).toBeNull()
    expect(saved).toHaveLength(1)
  })

  it('counts seconds while recording, and stops counting while paused [RE-03]', async () => {
    await open()
    expect(clock()).toBe('0:00')
    await pass(65)
    expect(clock()).toBe('1:05')
    await press('Pause')
    await pass(30)
    expect(clock()).toBe('1:05')
    await press('Resume')
    await pass(2)
    expect(clock()).toBe('1:07')
    await press('Stop')
    await pass(5)
    expect(clock()).toBe('1:07')
  })

  it('asks the parent page if the microphone is not allowed, closes, and says why [RE-05]', async () => {
    getUserMedia.mockRejectedValue(new DOMException('No.', 'NotAllowedError'))
    const asked = vi.spyOn(window.parent, 'postMessage').mockImplementation(() => undefined)
    await open()
    expect(asked).toHaveBeenCalledExactlyOnceWith(
      { type: 'request-permissions', permissions: ['microphone'] },
      '*',
    )
    expect(screen.queryByRole('region', { name: 'Recording' })).toBeNull()
    expect(screen.getByRole('alert').textContent).toContain('The browser does not allow the microphone.')
    asked.mockRestore()
    getUserMedia.mockResolvedValue({ getTracks: () => [track], getAudioTracks: () => [track] })
    await press('Try again')
    expect(screen.getByRole('region', { name: 'Recording' })).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each([
    [
      'without a secure connection',
      () => Object.defineProperty(navigator, 'mediaDevices', { value: undefined, configurable: true }),
    ],
    [
      'without a microphone',
      () => getUserMedia.mockRejectedValue(new DOMException('None.', 'NotFoundError')),
    ],
  ])('closes %s, asks nobody, and offers to attach a file [RE-06]', async (_, takeAway) => {
    takeAway()
    const asked = vi.spyOn(window.parent, 'postMessage').mockImplementation(() => undefined)
    await open()
    expect(screen.queryByRole('region', { name: 'Recording' })).toBeNull()
    expect(screen.getByRole('alert').textContent).toContain('Nothing can be recorded here.')
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
    await press('Attach a file')
    expect(onAttach).toHaveBeenCalled()
  })

  it('reports silence after four seconds, until there is sound', async () => {
    await open()
    await pass(3)
    expect(screen.queryByRole('status')).toBeNull()
    await pass(1)
    expect(screen.getByRole('status').textContent).toBe('No sound from “USB audio”')
    hear(0.2)
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('supports keys to start and stop, Space to pause, and Escape to discard after a question', async () => {
    saved.splice(0)
    await renderPage(<Composer />)
    const key = () => act(async () => fireEvent.keyDown(window, { key: 'M', ctrlKey: true, shiftKey: true }))
    await key()
    const strip = screen.getByRole('region', { name: 'Recording' })
    fireEvent.keyDown(strip, { key: ' ' })
    expect(screen.getByText('Paused')).toBeTruthy()
    fireEvent.keyDown(strip, { key: ' ' })
    expect(screen.queryByText('Paused')).toBeNull()
    await key()
    expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy()
    fireEvent.keyDown(strip, { key: 'Escape' })
    expect(await screen.findByText('Discard the recording?')).toBeTruthy()
  })

  it("names a file by the person's local time", () => {
    expect(nameOf(new Date(2026, 10, 21, 9, 4, 7))).toBe('recording-20261121-090407.mp3')
  })
})
