import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ToolBlock, ToolEvent } from '#shared/runs/runs/blocks.ts'
import { NO_IMAGE_MODEL } from '#shared/tools/tools/image-choices.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import type { CardBodyProps } from '../../web/platform/ui/card-parts.ts'
import { ToolCard } from '../../web/tools/tools/card/tool-card.tsx'
import card from './card.tsx'

const user = userEvent.setup()
/** Addresses that return no image. */
let gone: RegExp | null = null
beforeEach(() => {
  gone = null
  let count = 0
  URL.createObjectURL = () => `blob:${++count}`
})
afterEach(leavePage)

/** Returns an image for every address except these. */
const answers = new Proxy<Answers>(
  {},
  {
    get: (_, call) => () =>
      gone?.test(String(call)) ? [404, { detail: 'Gone', code: 'not_found' }] : new Response('png'),
  },
)

let number = 0
const made = (name: string, more = {}) => ({
  ...{ type: 'media_reference', id: `m${name}`, name: `${name}.png`, filename: `${name}.png` },
  ...{ asset_filename: `${name}.png`, media_type: 'image/png', size: 9, revised_prompt: null, error: null },
  ...{ url: `/api/v1/assets/tools/${++number}/${name}.png`, price: 0.04, ms: 6_000, ...more },
})
const refused = (error: string) => ({
  ...{ type: 'media_error', url: null, asset_filename: 'image-2', filename: 'image-2', revised_prompt: null },
  error,
})
const result = (...images: object[]) => ({ images, model: 'openai/gpt-image-1' })
const block = (patch: Partial<ToolBlock>): ToolBlock => ({
  ...{ type: 'tool', id: 'e1', tool_id: 'image_generation', tool_name: 'Image generation' },
  ...{ input: { prompt: 'A boiler house', n: 2, size: '1536x1024' }, status: 'complete', result: null },
  ...{ error: null, events: [], ...patch },
})

let change: (patch: Partial<ToolBlock>) => void
function Live({ first }: { first: Partial<ToolBlock> }) {
  const [patch, setPatch] = useState(first)
  change = (next) => act(() => setPatch(next))
  return <ToolCard block={block(patch)} />
}
const show = (patch: Partial<ToolBlock>) => renderPage(<Live first={patch} />, { answers })
const tell = (status: string, data: object): ToolEvent => ({
  ...{ type: 'image_generation', phase: 'GENERATION', status, data: data as Record<string, unknown> },
})
const partial = (partial_image_index: number, url: string): ToolEvent => ({
  ...{ type: 'tool_partial_update', data: { url, partial_image_index } },
})

function Filling({ start = {} }: { start?: Record<string, unknown> }) {
  const [input, setInput] = useState<Record<string, unknown>>({
    n: 1,
    quality: 'auto',
    size: 'auto',
    ...start,
  })
  const onInput: CardBodyProps['onInput'] = ({ n, ...rest }) =>
    setInput({ ...input, ...rest, ...(n === undefined ? {} : { n: n === '' ? undefined : Number(n) }) })
  const field = (name: string) => <p>field of {name}</p>
  return <card.Body {...{ status: 'input', input, result: null, events: [], onInput, field }} />
}

describe('image generation card', () => {
  it('shows open parameters until the work begins, then one line that expands again [IM-01]', async () => {
    await renderPage(<Filling />, { answers })
    expect(screen.getByRole('textbox', { name: 'Prompt' }).getAttribute('rows')).toBe('4')
    for (const name of ['Quality', 'Size']) expect(screen.getByRole('combobox', { name })).toBeTruthy()
    expect(screen.getByRole('textbox', { name: 'Images' })).toBeTruthy()
    expect(screen.getByText('field of document_ids')).toBeTruthy()
    leavePage()
    await show({ status: 'pending' })
    expect(await screen.findByRole('textbox', { name: 'Prompt' })).toBeTruthy()
    change({ status: 'processing' })
    const line = await screen.findByRole('button', { name: /Parameters/ })
    expect(line.textContent).toBe('Parameters2 images, 1536 × 1024')
    expect(line.getAttribute('aria-expanded')).toBe('false')
    expect(screen.queryByRole('textbox', { name: 'Prompt' })).toBeNull()
    await user.click(line)
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' }).disabled).toBe(true)
  })

  it('accepts only whole numbers from 1 to 10, or an empty field, as the count [IM-02]', async () => {
    await renderPage(<Filling />, { answers })
    const number = screen.getByRole<HTMLInputElement>('textbox', { name: 'Images' })
    expect(number.value).toBe('1')
    await user.type(number, '1')
    expect(number.value).toBe('1')
    await user.type(number, '0')
    expect(number.value).toBe('10')
    await user.clear(number)
    expect(number.value).toBe('')
    for (const wrong of ['0', '-', 'a', '.']) await user.type(number, wrong)
    expect(number.value).toBe('')
    await user.type(number, '7')
    expect(number.value).toBe('7')
  })

  it('offers the quality and size choices of the schema, automatic first [IM-03]', async () => {
    await renderPage(<Filling />, { answers })
    const choices = (name: string) =>
      within(screen.getByRole('combobox', { name }))
        .getAllByRole<HTMLOptionElement>('option')
        .map(({ value }) => value)
    expect(choices('Quality')).toEqual(['auto', 'low', 'medium', 'high'])
    expect(choices('Size')).toEqual(['auto', '1024x1024', '1536x1024', '1024x1536'])
    await user.selectOptions(screen.getByRole('combobox', { name: 'Size' }), '1024x1536')
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Size' }).value).toBe('1024x1536')
  })

  it('shows an image at its position while it is made, with its number [IM-06]', async () => {
    const events = [
      tell('started', { image: 1, total: 2 }),
      partial(0, '/api/v1/assets/tools/p1/image-1-1.png'),
      tell('processing', { image: 1, total: 2, preview: 1 }),
    ]
    await show({ status: 'processing', events })
    expect((await screen.findByRole('status')).textContent).toBe('Image 1 of 2, preview 1')
    const first = await screen.findByRole('img', { name: 'Image 1: A boiler house' })
    const before = first.getAttribute('src')
    const after = [...events, partial(0, '/api/v1/assets/tools/f1/image-1.png')]
    change({ status: 'processing', events: after })
    await waitFor(() => expect(screen.getByRole('img').getAttribute('src')).not.toBe(before))
    expect(within(screen.getByRole('list', { name: 'Images' })).getAllByRole('listitem')).toHaveLength(2)
  })

  it('shows the images with their cost, and why one is missing', async () => {
    await show({ result: result(made('image-1'), refused('The model provider refused the request: a face')) })
    await screen.findByRole('img', { name: 'Image 1: A boiler house' })
    expect(screen.getByText('This image was not made.')).toBeTruthy()
    expect(screen.getByText(/refused the request.*a face/)).toBeTruthy()
    expect(screen.getByText('$0.04 · 6 s · openai/gpt-image-1')).toBeTruthy()
    expect(screen.getByText('Completed')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Enlarge image-1.png' }))
    expect(await screen.findByRole('dialog')).toBeTruthy()
    leavePage()
    await show({ result: result(made('image-1', { price: null, revised_prompt: 'a red one' })) })
    expect(await screen.findByText('unpriced · 6 s · openai/gpt-image-1')).toBeTruthy()
    expect(await screen.findByText('Prompt as the provider read it: a red one')).toBeTruthy()
  })

  it('says that the generation failed if there are no images, and that an image cannot be fetched [IM-07]', async () => {
    await show({ result: result(refused('The model provider refused the key.'), refused('Why not.')) })
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Generation failed\..*key.*Why not\./)
    expect(screen.getByText('Error')).toBeTruthy()
    leavePage()
    gone = /lost/
    await show({ result: result(made('lost'), made('image-2')) })
    expect(await screen.findByText('Image failed to load')).toBeTruthy()
    expect(await screen.findByRole('img', { name: /Image 2/ })).toBeTruthy()
    const keys: unknown[] = []
    globalThis.fetch = async (_, init) => {
      keys.push(new Headers(init?.headers).get('authorization'))
      return new Response('png')
    }
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('img', { name: /Image 1/ })).toBeTruthy()
    expect(keys).toEqual(['Bearer test-token'])
  })

  it('says what is missing and who can fix it if there is no model, even for earlier results, without naming a setting [XB-13]', async () => {
    for (const error of [
      NO_IMAGE_MODEL,
      'No model that makes images is connected. Or names one in ATRIUM_IMAGE_MODEL.',
    ]) {
      const view = await show({ status: 'error', error })
      const alert = await screen.findByRole('alert')
      expect(alert.textContent).toContain('Generation failed.')
      expect(alert.textContent).toContain('An administrator can connect one on the page Models.')
      expect(alert.textContent).not.toContain('ATRIUM_')
      view.unmount()
    }
  })
})
