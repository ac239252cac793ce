import type { Generated, GeneratedAlways } from 'kysely'
import type { ServerMessage } from '#shared/tools/own-tools/mcp-health.ts'
import type { ServerFacts, ServerPrompt, ServerResource } from '#shared/tools/own-tools/mcp-servers.ts'
import type { ModuleUi } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import type { ServerNews } from '#shared/tools/tools/server-claim.ts'
import type { CreatedAt, Json, ShareColumns, Time } from './columns.ts'

/** Tools made by users (`migrations/0073_own_tools.sql`). */
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
  own_tool_accounts: {
    set_id: string
    user_id: string
    id: Generated<string>
    sealed: string
    connected_at: Time
  }
  own_tool_clients: { set_id: string; sealed: string }
  own_tool_interfaces: {
    tool_id: string
    ui: Json<ModuleUi>
    approved_at: Time
    file_key: string | null
    file_size: number | null
  }
  mcp_listings: {
    set_id: string
    server: Json<ServerFacts>
    prompts: Json<ServerPrompt[]>
    resources: Json<ServerResource[]>
    left_out: number
    news: Json<Record<string, ServerNews>>
    listed_at: Time
    error: string | null
  }
  mcp_health: {
    set_id: string
    answered_at: Time | null
    answering_since: Time | null
    failed_at: Time | null
    failure: string | null
  }
  mcp_half_hours: {
    set_id: string
    at: Time
    answers: Generated<number>
    slow: Generated<number>
    failures: Generated<number>
  }
  mcp_messages: {
    id: GeneratedAlways<number>
    set_id: string
    at: Time
    what: ServerMessage['what']
    name: string
    ms: number | null
    failure: string | null
  }
  own_tool_shares: ShareColumns & { set_id: string }
  own_tools: {
    id: string
    set_id: string
    user_id: string
    key: string
    policy: 'auto' | 'ask' | 'never' | null
    is_there: Generated<boolean>
    is_on: Generated<boolean>
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
