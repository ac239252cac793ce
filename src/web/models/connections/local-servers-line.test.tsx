import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aServer, aUser, prepareBrowser } from '#tests/web/render-app.tsx'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { LocalServersLine } from './connections.tsx'

beforeEach(() => prepareBrowser())
afterEach(leavePage)

const builtIn = { id: 'atrium/offline', name: 'Built-in' }
const vllm = { id: 'vllm/qwen', name: 'qwen' }
const local = [{ name: 'vLLM', kind: 'compatible', base_url: 'http://127.0.0.1:8000/v1', models: 1 }]

const draw = (role: 'super_admin' | 'member', models: object[] = [builtIn]) => {
  let isConnected = false
  const answers = aServer(
    {
      'GET /available-models': () => (isConnected ? [vllm, ...models] : models),
      'GET /model-connections/local': () => (isConnected ? [] : local),
      'GET /model-connections': () => [],
      'POST /model-connections': () => {
        isConnected = true
        return [201, {}]
      },
    },
    aUser({ role }),
  )
  return renderPage(<LocalServersLine />, { answers })
}

it('lets a super admin connect a detected model server from an empty chat', async () => {
  const { sent } = await draw('super_admin')
  await userEvent.click(await screen.findByRole('button', { name: 'Connect vLLM' }))
  await waitFor(() => expect(screen.queryByText('Noticed on this machine:')).toBeNull())
  expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({ base_url: local[0]?.base_url })
})

it.each([
  ['others', () => draw('member')],
  ['whoever has a model already', () => draw('super_admin', [vllm, builtIn])],
])('offers nothing to %s and sends no lookup', async (_, start) => {
  const { sent } = await start()
  await waitFor(() => expect(sent.some(({ path }) => path === '/users/me')).toBe(true))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(sent.some(({ path }) => path === '/model-connections/local')).toBe(false)
  expect(screen.queryByRole('button')).toBeNull()
})
