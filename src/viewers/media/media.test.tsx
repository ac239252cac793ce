import { act, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Chunk, Document, DocumentPart } from '#shared/knowledge/documents/documents.ts'
import { aDocument } from '#tests/web/document-builder.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { chunkTime } from './chunk-time.ts'
import { clockOf, placeOf, RATES, rateOf, volumeOf } from './playback.ts'
import { segmentsOf } from './subtitles.ts'
import MediaView from './view.tsx'

/** Simulates playback, which jsdom lacks. */
beforeEach(() => {
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(function (this: HTMLMediaElement) {
    fireEvent.play(this)
    return Promise.resolve()
  })
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function (this: HTMLMediaElement) {
    fireEvent.pause(this)
  })
  Element.prototype.scrollTo ??= () => {}
  window.matchMedia ??= (() => ({ matches: false, addEventListener() {}, removeEventListener() {} })) as never
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  leavePage()
})

const said = 'And so, my fellow Americans, ask not what your country can do for you'.split(' ')

/** Builds a segment with words of half a second each. */
function aSegment(n: number, start: number, words = said): DocumentPart['elements'][number] {
  const timed = words.map((text, at) => ({
    ...{ text, start: start + at / 2, end: start + at / 2 + 0.4 },
    confidence: text === 'Americans,' ? 0.3 : 0.9,
  }))
  return {
    ...{ element_id: `e${n}`, type: 'transcript_segment', text: words.join(' ') },
    metadata: {
      ...{ page_number: null, bbox: null, coordinates: null, all_bboxes: [], parent_id: null },
      ...{ timeline_position: start, start, end: start + words.length / 2, words: timed },
      ...{ filename: 'talk.mp4', filetype: 'video/mp4', element_metadata: { span: [0, 1] } },
    },
  }
}

const aPart = (...elements: DocumentPart['elements']): DocumentPart => ({
  ...{ number: 1, page: null, elements, words: [] },
})

function aChunk(given: Partial<Chunk> = {}): Chunk {
  const times = { timeline_position: null, start_time_from_meta: null, page_number: null }
  return {
    ...{ id: crypto.randomUUID(), element_id: 'e1', type: 'transcript_segment', text: '', content: '' },
    ...{ heading_path: [], place: {}, page_number: null, has_embeddings: true, chunk_size: 0 },
    ...{ certainty: null, distance: null, metadata: { ...times, ...given.metadata } },
    ...given,
  }
}

type Shown = { document?: Partial<Document>; type?: string; chunk?: Chunk | null; parts?: DocumentPart[] }

async function show({ document, type = 'video/mp4', chunk = null, parts }: Shown = {}) {
  const shown = aDocument({ name: 'talk.mp4', size: 2 * 1024 * 1024, duration: 100, ...document })
  const page = await renderPage(
    <MediaView
      document={shown}
      url="/api/v1/playback/ticket"
      mediaType={type}
      chunk={chunk}
      parts={parts ?? [aPart(aSegment(1, 0), aSegment(2, 20))]}
      onRetry={() => {}}
    />,
    { answers: { [`GET /documents/${shown.id}/elements`]: () => ({ parts: [], total_parts: 1 }) } },
  )
  const player = page.container.querySelector<HTMLMediaElement>('video, audio')!
  Object.defineProperty(player, 'videoWidth', { value: type.startsWith('video') ? 640 : 0 })
  fireEvent.loadedMetadata(player)
  return { ...page, player }
}

const toolbar = () => within(screen.getByRole('toolbar'))
const isPlaying = () => toolbar().queryByRole('button', { name: 'Pause' }) !== null
const playTo = (player: HTMLMediaElement, seconds: number) =>
  act(() => {
    player.currentTime = seconds
    fireEvent.timeUpdate(player)
  })

describe('media player', () => {
  it('shows name, size, duration, play, restart, subtitles and the passage in its toolbar [MV-01]', async () => {
    const chunk = aChunk({
      metadata: { timeline_position: 20, start_time_from_meta: null, page_number: null },
    })
    const { player } = await show({ chunk })
    const bar = screen.getByRole('toolbar')
    expect(bar.textContent).toContain('talk.mp4')
    expect(bar.textContent).toMatch(/2\sMB · 1:40/)
    await userEvent.click(toolbar().getByRole('button', { name: 'Play' }))
    expect(isPlaying()).toBe(true)
    await userEvent.click(toolbar().getByRole('button', { name: 'Pause' }))
    expect(isPlaying()).toBe(false)
    playTo(player, 50)
    await userEvent.click(toolbar().getByRole('button', { name: 'Go to the passage' }))
    expect([player.currentTime, isPlaying()]).toEqual([20, true])
    await userEvent.click(toolbar().getByRole('button', { name: 'Pause' }))
    await userEvent.click(toolbar().getByRole('button', { name: 'Play from the beginning' }))
    expect([player.currentTime, isPlaying()]).toEqual([0, true])
    expect(document.querySelector('.media-caption')).not.toBeNull()
    await userEvent.click(toolbar().getByRole('button', { name: 'Subtitles', pressed: true }))
    expect(document.querySelector('.media-caption')).toBeNull()
  })

  it('shows video with controls and full screen, and audio as bars that move while it plays [MV-02]', async () => {
    const request = vi.fn(() => Promise.resolve())
    Object.defineProperty(document, 'fullscreenEnabled', { value: true, configurable: true })
    Element.prototype.requestFullscreen = request
    const { player } = await show()
    expect(player.controls).toBe(false)
    for (const name of ['Position', 'Volume']) expect(screen.getByRole('slider', { name })).toBeTruthy()
    expect(screen.getByRole('combobox', { name: 'Speed' })).toBeTruthy()
    expect(screen.getAllByRole('button', { name: 'Subtitles' })).toHaveLength(2)
    expect(screen.queryByTestId('bars')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Full screen' }))
    expect(request).toHaveBeenCalledOnce()
    leavePage()
    await show({ type: 'audio/mpeg' })
    expect(screen.queryByRole('button', { name: 'Full screen' })).toBeNull()
    expect(screen.getByTestId('bars').className).not.toContain('media-moving')
    await userEvent.keyboard(' ')
    expect(screen.getByTestId('bars').className).toContain('media-moving')
  })

  it('seeks by 10 s and along a bar, by mouse and keyboard [MV-03]', async () => {
    const { player } = await show()
    const bar = screen.getByRole<HTMLInputElement>('slider', { name: 'Position' })
    fireEvent.input(bar, { target: { value: '42' } })
    expect(player.currentTime).toBe(42)
    await userEvent.click(screen.getByRole('button', { name: 'Forward 10 s' }))
    expect(player.currentTime).toBe(52)
    await userEvent.click(screen.getByRole('button', { name: 'Back 10 s' }))
    expect(player.currentTime).toBe(42)
    bar.focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(player.currentTime).toBe(52)
    expect(bar.getAttribute('aria-valuetext')).toBe('0:52 of 1:40')
    fireEvent.change(screen.getByRole('slider', { name: 'Volume' }), { target: { value: '0.4' } })
    expect(player.volume).toBe(0.4)
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Speed' }), '1.5')
    expect(player.playbackRate).toBe(1.5)
  })

  it('marks the spoken word in subtitles and transcript, and plays from a clicked word [MV-04]', async () => {
    const { player } = await show()
    playTo(player, 2.1)
    const transcript = within(screen.getByRole('region', { name: 'Transcript' }))
    expect(transcript.getByRole('button', { current: 'time' }).textContent).toBe('Americans,')
    expect(document.querySelector('.media-caption [data-now]')?.textContent?.trim()).toBe('Americans,')
    await userEvent.click(transcript.getAllByRole('button', { name: 'country' })[1]!)
    expect([player.currentTime, isPlaying()]).toEqual([24.5, true])
    expect(transcript.getByRole('button', { current: 'time' }).textContent).toBe('country')
    expect(document.querySelectorAll('[data-unsure]')).toHaveLength(2)
  })

  it('toggles playback with Space, except in a field or on a button [MV-06]', async () => {
    await show()
    await userEvent.keyboard(' ')
    expect(isPlaying()).toBe(true)
    await userEvent.keyboard(' ')
    expect(isPlaying()).toBe(false)
    await userEvent.click(screen.getByRole('searchbox'))
    await userEvent.keyboard('not what')
    expect(isPlaying()).toBe(false)
    toolbar().getByRole('button', { name: 'Subtitles' }).focus()
    await userEvent.keyboard(' ')
    expect(isPlaying()).toBe(false)
  })

  it('shows the kind of the requested passage and its time or block [MV-07]', async () => {
    await show({ chunk: aChunk({ place: { start: 62, end: 80 } }) })
    expect(screen.getByText('transcript, 1:02 to 1:20')).toBeTruthy()
    leavePage()
    await show({ chunk: aChunk({ type: 'Table', element_id: 'e7' }) })
    expect(screen.getByText('table, block 7')).toBeTruthy()
  })

  it('hides the controls of a video after 3 s of playback until the pointer moves [MV-08]', async () => {
    const { player, container } = await show()
    vi.useFakeTimers()
    const isHidden = () => container.querySelector('.media-idle') !== null
    act(() => vi.advanceTimersByTime(10_000))
    expect(isHidden()).toBe(false)
    act(() => void fireEvent.play(player))
    act(() => vi.advanceTimersByTime(2_900))
    expect(isHidden()).toBe(false)
    act(() => vi.advanceTimersByTime(100))
    expect(isHidden()).toBe(true)
    fireEvent.pointerMove(player)
    expect(isHidden()).toBe(false)
    act(() => vi.advanceTimersByTime(3_000))
    expect(isHidden()).toBe(true)
    act(() => void fireEvent.pause(player))
    expect(isHidden()).toBe(false)
  })

  it('limits the volume to 0 to 1 in steps of a tenth [MV-09]', async () => {
    expect([-1, 0, 0.44, 0.46, 3].map(volumeOf)).toEqual([0, 0, 0.4, 0.5, 1])
    await show()
    const { min, max, step } = screen.getByRole<HTMLInputElement>('slider', { name: 'Volume' })
    expect([min, max, step]).toEqual(['0', '1', '0.1'])
  })

  it('accepts speeds of 0.25 to 4 and offers six of them [MV-10]', async () => {
    expect([0.1, 0.25, 1, 4, 9].map(rateOf)).toEqual([0.25, 0.25, 1, 4, 4])
    expect(RATES).toEqual([0.5, 0.75, 1, 1.25, 1.5, 2])
    await show()
    const offered = within(screen.getByRole('combobox', { name: 'Speed' })).getAllByRole('option')
    expect(offered.map(({ textContent }) => textContent)).toEqual([
      '0.5×',
      '0.75×',
      '1×',
      '1.25×',
      '1.5×',
      '2×',
    ])
  })

  it('never seeks outside the recording or to an invalid number [MV-11]', async () => {
    expect([-5, 50, 500, Number.NaN, Number.POSITIVE_INFINITY].map((to) => placeOf(to, 100))).toEqual([
      ...[0, 50, 100, null, null],
    ])
    const { player } = await show()
    await userEvent.click(screen.getByRole('button', { name: 'Back 10 s' }))
    expect(player.currentTime).toBe(0)
    playTo(player, 95)
    await userEvent.click(screen.getByRole('button', { name: 'Forward 10 s' }))
    expect(player.currentTime).toBe(100)
  })

  it('locates a passage by its place, its time, or 10 s per page [MV-12]', async () => {
    const times = (
      timeline_position: number | null,
      start_time_from_meta: number | null,
      page: number | null,
    ) => chunkTime(aChunk({ metadata: { timeline_position, start_time_from_meta, page_number: page } }))
    expect([times(7, 8, 9), times(0, 8, 9), times(null, 8, 9), times(null, null, 9)]).toEqual([7, 0, 8, 90])
    expect(times(null, null, null)).toBeNull()
    const { player } = await show({ chunk: aChunk({ page_number: 3 }) })
    expect([player.currentTime, isPlaying()]).toEqual([30, false])
  })

  it('stops at the end, and logs when the browser refuses to play [MV-13]', async () => {
    const { player } = await show()
    await userEvent.keyboard(' ')
    fireEvent.ended(player)
    expect(isPlaying()).toBe(false)
    const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const refusal = new DOMException('play() failed', 'NotAllowedError')
    vi.mocked(HTMLMediaElement.prototype.play).mockImplementation(function (this: HTMLMediaElement) {
      fireEvent.play(this)
      return Promise.reject(refusal)
    })
    await userEvent.keyboard(' ')
    expect(isPlaying()).toBe(false)
    expect(log).toHaveBeenCalledWith('Playback did not start', refusal)
  })
})

describe('subtitle', () => {
  it('has times for itself and for each word [MV-05]', () => {
    const [subtitle] = segmentsOf([aPart(aSegment(1, 20, ['Ask', 'not']))])
    expect(subtitle).toEqual({
      ...{ id: 'e1', text: 'Ask not', startTime: 20, endTime: 21 },
      words: [
        { id: 'e1.0', text: 'Ask', startTime: 20, endTime: 20.4, confidence: 0.9 },
        { id: 'e1.1', text: 'not', startTime: 20.5, endTime: 20.9, confidence: 0.9 },
      ],
    })
  })
})

describe('transcript', () => {
  it('names the speaker before the words', async () => {
    const named = aSegment(1, 0, ['We', 'agreed'])
    await renderPage(
      <MediaView
        {...{ document: aDocument({ name: 'talk.vtt' }), mediaType: 'audio/mpeg', url: '/p', chunk: null }}
        parts={[aPart({ ...named, text: 'Ada Renard: We agreed' }, aSegment(2, 9, ['Good']))]}
        onRetry={() => {}}
      />,
    )
    expect((await screen.findByText('Ada Renard:')).parentElement?.textContent).toBe('Ada Renard: We agreed ')
    expect(screen.getByRole('button', { name: 'Good' }).parentElement?.textContent).toBe('Good ')
  })

  it('loads further parts after the loaded ones', async () => {
    const shown = aDocument({ name: 'talk.mp4' })
    const more = { ...aPart(aSegment(3, 40, ['the', 'end'])), number: 2 }
    await renderPage(
      <MediaView
        {...{ document: shown, mediaType: 'audio/mpeg', url: '/playback', chunk: null }}
        parts={[aPart(aSegment(1, 0))]}
        onRetry={() => {}}
      />,
      {
        answers: {
          [`GET /documents/${shown.id}/elements`]: ({ query }) => ({
            parts: query.get('from') === '2' ? [more] : [],
            total_parts: 2,
          }),
        },
      },
    )
    expect(await screen.findByRole('button', { name: 'end' })).toBeTruthy()
    expect(screen.getByText('16 words')).toBeTruthy()
  })

  it('ignores case and accents in a search', async () => {
    const parts = [aPart(aSegment(1, 0, ['Une', 'année', 'entière']), aSegment(2, 20, ['Rien']))]
    await show({ parts })
    await userEvent.type(screen.getByRole('searchbox'), 'ANNEE')
    expect(await screen.findByText('1 passage found')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Rien' })).toBeNull()
    expect(screen.getByRole('button', { name: 'année' }).hasAttribute('data-hit')).toBe(true)
  })

  it('marks the requested passage', async () => {
    await show({ chunk: aChunk({ place: { start: 20, end: 30 } }) })
    const marked = document.querySelectorAll('[data-chosen]')
    expect([...marked].map((segment) => segment.getAttribute('data-segment'))).toEqual(['1'])
  })
})

it('formats times as a clock', () => {
  expect([0, 5.9, 65, 3725].map(clockOf)).toEqual(['0:00', '0:05', '1:05', '1:02:05'])
})
