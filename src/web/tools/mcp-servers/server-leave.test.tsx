import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leaveApp, prepareBrowser } from '#tests/web/render-app.tsx'
import { aServerTool, erp, openServers as open } from '#tests/web/server-builder.tsx'

beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const tools = [
  aServerTool(),
  aServerTool({ id: 't2', key: 'drop', claim: 'contradicts', reads: false, version: 4, news: 'moved' }),
]
const path = '/mcp-servers/s1/reading-tools'

describe('permission for the tools of a server', () => {
  it('is granted in one click to all tools that claim to be read-only', async () => {
    const allowed = erp({ tools: tools.map((tool) => ({ ...tool, policy: 'auto' as const })) })
    const { user, sentTo } = await open('/tools/servers/s1', erp({ tools }), {
      [`PUT ${path}`]: () => allowed,
    })
    await user.click(await screen.findByRole('button', { name: /^Run without asking/ }))
    expect(await screen.findByRole('button', { name: /^Ask again/ })).toBeTruthy()
    expect(sentTo('PUT', path)).toEqual({ policy: 'auto', tools: [{ tool_id: 't1_find', version: 1 }] })
  })

  it('is granted for the version shown, and labels the read-only hint as a claim', async () => {
    const { user, sentTo } = await open('/tools/servers/s1', erp({ tools: [tools[1]!] }), {
      'PUT /mcp-servers/s1/tools': () => erp({ tools: [] }),
    })
    expect(await screen.findByText('Contradicts itself: may change data')).toBeTruthy()
    expect(screen.getByText('Moved')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Run without asking/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Auto' }))
    await waitFor(() =>
      expect(sentTo('PUT', '/mcp-servers/s1/tools')).toEqual({ tool_id: 't2', policy: 'auto', version: 4 }),
    )
  })

  it('is not offered to users the server is shared with', async () => {
    await open('/tools/servers/s1', erp({ tools, own: false, address: null }))
    expect(await screen.findByText('Says it only reads')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Run without asking/ })).toBeNull()
  })
})
