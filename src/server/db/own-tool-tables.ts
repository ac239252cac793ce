import type { Generated } from 'kysely'
import type { ServerFacts, ServerPrompt, ServerResource } from '#shared/own-tools/mcp-servers.ts'
import type { RemoteUi } from '#shared/tool-interfaces/tool-interfaces.ts'
import type { CreatedAt, Json, Time } from './columns.ts'

/** Tools people made, as `migrations/0073_own_tools.sql` has them. */
export type OwnToolTables = {
  own_tool_sets: {
    id: Generated<string>
    user_id: string
    kind: 'api' | 'mcp'
    name: string
    connection: Json<Record<string, unknown>>
    created_at: CreatedAt
    updated_at: Time
  }
  own_tool_secrets: { set_id: string; name: string; sealed: string; updated_at: Time }
  own_tool_interfaces: { tool_id: string; ui: Json<RemoteUi>; approved_at: Time }
  mcp_listings: {
    set_id: string
    server: Json<ServerFacts>
    prompts: Json<ServerPrompt[]>
    resources: Json<ServerResource[]>
    left_out: number
    news: Json<Record<string, 'new' | 'changed'>>
    listed_at: Time
    error: string | null
  }
  own_tool_shares: { set_id: string; company_id: string }
  own_tools: {
    id: string
    set_id: string
    user_id: string
    key: string
    policy: 'auto' | 'ask' | 'never' | null
    is_there: Generated<boolean>
    version: Generated<number>
    created_at: CreatedAt
    updated_at: Time
  }
  own_tool_versions: {
    tool_id: string
    version: number
    name: string
    description: string
    icon: string | null
    definition: Json<Record<string, unknown>>
    created_at: CreatedAt
  }
}
