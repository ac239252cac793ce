import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import type { Tuning } from '#shared/models/connections/tuning.ts'
import { aChat } from '#tests/web/message-builder.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { useSessionDetails } from '../../runs/sessions/sessions.ts'
import { TuningMenu } from './tuning-menu.tsx'

afterEach(leavePage)

function Field() {
  const { data = null } = useSessionDetails('session-1')
  return (
    <>
      <h1>{data?.title}</h1>
      <TuningMenu session={data} />
    </>
  )
}

async function open(tuning: Tuning[] | undefined) {
  const chat = aChat({ model_name: 'vllm/qwen3' })
  const model = {
    ...{ id: 'vllm/qwen3', name: 'qwen3', provider: 'vllm', provider_name: 'vLLM' },
    ...{ context_tokens: null, max_output_tokens: null, input_price: null, output_price: null },
    ...{ local: true, is_default: true, ...(tuning && { tuning }) },
  }
  const page = await renderPage(<Field />, {
    answers: {
      'GET /sessions/session-1': () => chat,
      'GET /available-models': () => [model],
      'PUT /sessions/session-1/tuning': ({ body }) => body,
    },
  })
  await screen.findByRole('heading', { name: chat.title })
  return { ...page, user: userEvent.setup() }
}

describe('effort, temperature and length', () => {
  it('are set for the next replies if the model supports them', async () => {
    const { user, sent } = await open(['effort', 'temperature', 'length'])
    const button = await screen.findByRole('button', { name: 'Answer settings' })
    await user.click(button)
    await user.click(await screen.findByText('High: thinks longer', {}, { timeout: 4_000 }))
    await user.click(button)
    await user.click(await screen.findByText('Exact (0)', {}, { timeout: 4_000 }))
    await user.click(button)
    await user.click(await screen.findByText('At most 300 words', {}, { timeout: 4_000 }))
    const bodies = () => sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)
    await waitFor(() =>
      expect(bodies()).toEqual([{ effort: 'high' }, { temperature: 0 }, { max_words: 300 }]),
    )
  })

  it('are hidden one by one if the model does not support them', async () => {
    const { user } = await open(['effort'])
    await user.click(await screen.findByRole('button', { name: 'Effort' }))
    await screen.findByText('High: thinks longer', {}, { timeout: 4_000 })
    for (const name of ['Temperature', 'Length', 'Exact (0)', 'At most 300 words'])
      expect(screen.queryByText(name)).toBeNull()
  })

  it('are hidden for a model that supports none', async () => {
    await open(undefined)
    expect(screen.queryByRole('button', { name: 'Answer settings' })).toBeNull()
  })
})
