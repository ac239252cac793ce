import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leaveApp, prepareBrowser } from '#tests/web/render-app.tsx'
import { erp, openServers as open } from '#tests/web/server-builder.tsx'

beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

describe("the user's account at an MCP server", () => {
  const signed = (connected_at: string | null) => ({
    ...{ service: 'auth.orsane.eu', origins: ['https://mcp.orsane.eu'], connected_at },
  })
  const unasked = erp({ oauth: true, is_known: false, tools: [] })

  it('redirects the browser to the service to connect', async () => {
    let url = ''
    const { user } = await open('/tools/servers/s1', unasked, {
      'GET /tool-sets/s1/account': () => signed(null),
      'POST /tool-sets/s1/account': () => {
        url = `${location.href}#to-the-service`
        return { url }
      },
    })
    expect(await screen.findByText(/^These tools work with your account at auth\.orsane\.eu\./)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Connect' }))
    await waitFor(() => expect(location.href).toBe(url))
  })

  it('is requested for a known server until the user signs in', async () => {
    let at: string | null = null
    const account = { 'GET /tool-sets/s1/account': () => signed(at) }
    await open('/tools/servers/s1', erp({ oauth: true }), account)
    expect(await screen.findByText('Sign in first')).toBeTruthy()
    expect(screen.queryByText('Connected')).toBeNull()
    leaveApp()
    at = '2026-11-01T10:00:00Z'
    await open('/tools/servers/s1', erp({ oauth: true }), account)
    expect(await screen.findByText(/It is used at mcp/)).toBeTruthy()
    expect(screen.getByText('Connected')).toBeTruthy()
  })

  it("shows the result of the sign-in on the server's page and can be disconnected", async () => {
    let at: string | null = '2026-11-01T10:00:00Z'
    const { user } = await open('/tools/servers/s1?account=refused', unasked, {
      'GET /tool-sets/s1/account': () => signed(at),
      'DELETE /tool-sets/s1/account': () => {
        at = null
        return { told: false }
      },
    })
    expect(await screen.findByText('The service was not given leave. Nothing was connected.')).toBeTruthy()
    expect(await screen.findByText(/It is used at mcp\.orsane\.eu and nowhere else\./)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Disconnect' }))
    expect(await screen.findByRole('button', { name: 'Connect' })).toBeTruthy()
    expect((await screen.findAllByText(/take the leave back there as well/)).length).toBeGreaterThan(0)
  })
})
