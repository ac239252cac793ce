import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aCall } from '#tests/web/step-builder.tsx'
import { aTool } from '#tests/web/tool-builder.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { ToolCard } from '../card/tool-card.tsx'
import { createGate } from './gate.ts'
import { createAppDialect } from './mcp-apps.ts'

beforeEach(() => {
  prepareBrowser()
  queryClient.clear()
})
afterEach(() => leavePage())

const sri = `sha384-${'a'.repeat(64)}`
const location = {
  kind: 'remote' as const,
  url: 'https://scoring.example/ui.js',
  sri,
  connect: [],
  calls: [],
}
const tool = aTool({ id: 'score', kind: 'api', ui_location: location })
const draw = (answer: () => unknown, language = 'en') =>
  renderPage(<ToolCard block={aCall({ tool_id: 'score', tool_name: 'Score', result: { score: 71 } })} />, {
    ...{ language },
    answers: { 'GET /tools/score': () => tool, 'POST /tools/score/interface': answer },
  })
const ready = { state: 'ready', path: '/tool-interfaces/x', speaks: 'atrium', calls: {} }

it('shows a loading state, then the interface in a frame without an origin [TO-07]', async () => {
  await draw(() => ready)
  expect(await screen.findByText('Loading the interface')).toBeTruthy()
  const frame = await screen.findByTitle('Interface of Score')
  expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
  expect(frame.getAttribute('src')).toBe('/api/v1/tool-interfaces/x')
  expect(screen.getByText('scoring.example')).toBeTruthy()
})

it('reports a failed load, still shows the result, and retries [TO-07]', async () => {
  let isAway = true
  const away = [503, { code: 'unavailable', detail: 'scoring.example did not answer within 10 seconds.' }]
  const { sent } = await draw(() => (isAway ? away : ready))
  const failure = await screen.findByText('The interface could not be loaded.', {}, { timeout: 4000 })
  expect(failure.closest('[role=alert]')).toBeTruthy()
  expect(screen.getByText('71')).toBeTruthy()
  // One automatic retry.
  expect(sent.filter(({ path }) => path === '/tools/score/interface')).toHaveLength(2)
  isAway = false
  await userEvent.click(await screen.findByRole('button', { name: /Retry|Try again/ }))
  expect(await screen.findByTitle('Interface of Score')).toBeTruthy()
})

it('runs no code from a file other than the approved one, in French [TO-07]', async () => {
  await draw(() => ({ state: 'changed', approved: sri, received: 'sha384-other' }), 'fr')
  expect(await screen.findByText('L’interface n’a pas été chargée.')).toBeTruthy()
  for (const text of [sri, 'sha384-other', '71']) expect(screen.getByText(text)).toBeTruthy()
  expect(document.querySelector('iframe')).toBeNull()
})

it('accepts messages only from its own frame', async () => {
  await draw(() => ready)
  const frame = (await screen.findByTitle('Interface of Score')) as HTMLIFrameElement
  const say = (source: Window | null, data: unknown) =>
    act(async () => void window.dispatchEvent(new MessageEvent('message', { source, data })))
  await say(window, { type: 'resize', height: 400 })
  expect(frame.style.height).toBe('168px')
  await say(frame.contentWindow, { type: 'resize', height: 400 })
  await waitFor(() => expect(frame.style.height).toBe('400px'))
  await say(frame.contentWindow, { type: 'resize', height: 1e6 })
  await waitFor(() => expect(frame.style.height).toBe('1200px'))
  for (let at = 0; at < 70; at += 1) await say(frame.contentWindow, { type: 'resize', height: 300 })
  expect(await screen.findByText('The interface was stopped.')).toBeTruthy()
})

it('limits messages per second', () => {
  const mayPass = createGate()
  const passed = (now: number, times: number) => Array.from({ length: times }, () => mayPass(now))
  expect(passed(0, 60)).not.toContain(false)
  expect(passed(500, 1)).toEqual([false])
  expect(passed(1000, 60)).not.toContain(false)
})

it('speaks the MCP Apps protocol and calls only tools of its own server [XT-16]', () => {
  const look = { language: 'fr' as const, theme: 'dark' as const }
  const dialect = createAppDialect({ look: () => look, calls: { refresh: 't1_refresh' } })
  const rpc = (method: string, params: object = {}, id?: number) =>
    dialect.read({ jsonrpc: '2.0', method, params, ...(id === undefined ? {} : { id }) })
  expect(rpc('ui/initialize', {}, 1).reply).toMatchObject({
    ...{ jsonrpc: '2.0', id: 1 },
    result: { protocolVersion: '2026-01-26', hostContext: { theme: 'dark', locale: 'fr' } },
  })
  expect(rpc('ui/notifications/initialized').message).toEqual({ type: 'ready' })
  expect(rpc('ui/notifications/size-changed', { height: 200 }).message).toEqual({
    type: 'resize',
    height: 200,
  })
  expect(rpc('tools/call', { name: 'refresh', arguments: { n: 1 } }, 7).message).toEqual({
    ...{ type: 'call', id: '7', tool: 't1_refresh', input: { n: 1 } },
  })
  for (const name of ['calculator', '__proto__', 'toString'])
    expect(rpc('tools/call', { name }, 8)).toMatchObject({
      message: null,
      reply: { error: { code: -32602 } },
    })
  expect(rpc('resources/read', { uri: 'file:///etc/passwd' }, 9)).toMatchObject({
    reply: { error: { code: -32601 } },
  })
  expect(dialect.write({ type: 'answer', id: '7', result: 'Done.', error: null })).toEqual([
    { jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text', text: 'Done.' }] } },
  ])
  const init = { type: 'init' as const, protocol: 1 as const, tool: { id: 't', name: 'T' }, ...look }
  const result = { content: [{ type: 'text', text: 'x' }], structuredContent: { a: 1 } }
  expect(dialect.write({ ...init, status: 'complete', input: { a: 1 }, result })).toEqual([
    { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { a: 1 } } },
    { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: result },
  ])
})
