import { randomUUID } from 'node:crypto'
import type { TestApp } from '../app.ts'
import type { TestUser } from '../builders.ts'

/** Creates a tool of the owner as the only one in its set. */
export async function aTool(
  { deps: { db } }: TestApp,
  { id: user_id }: TestUser,
  company_id: string | null,
  person_id: string,
): Promise<{ toolId: string; toolSetId: string; toolShareId: string }> {
  const set = { user_id, kind: 'api' as const, name: 'A tool', connection: '{}' }
  const made = await db.insertInto('own_tool_sets').values(set).returning('id').executeTakeFirstOrThrow()
  const id = `t${randomUUID().slice(0, 7)}_a_tool`
  const call = { method: 'GET', address: 'http://127.0.0.1:9/', inputs: [] }
  const words = { name: 'A tool', description: 'Calls nobody.', icon: null }
  await db
    .insertInto('own_tools')
    .values({ id, set_id: made.id, user_id, key: 'call', policy: null })
    .execute()
  await db
    .insertInto('own_tool_versions')
    .values({ tool_id: id, version: 1, ...words, definition: JSON.stringify(call) })
    .execute()
  if (company_id)
    await db
      .insertInto('own_tool_shares')
      .values({ set_id: made.id, company_id, shared_by: user_id })
      .execute()
  const named = { set_id: made.id, person_id, shared_by: user_id }
  const share = await db.insertInto('own_tool_shares').values(named).returning('id').executeTakeFirstOrThrow()
  return { toolId: id, toolSetId: made.id, toolShareId: share.id }
}

/** Shares an assistant with a person of a company. */
export async function aShare(
  { deps: { db } }: TestApp,
  assistant_id: string,
  person_id: string,
  within: string,
): Promise<string> {
  const row = { assistant_id, person_id, within, access: 'use' as const }
  return (await db.insertInto('assistant_shares').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** Makes a person a reader of a project. */
export async function aProjectMember(
  { deps: { db } }: TestApp,
  workspace_id: string,
  person_id: string,
  within: string,
): Promise<string> {
  const row = { workspace_id, person_id, within, role: 'reader' as const }
  return (await db.insertInto('workspace_members').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** Creates a project of a person; without one, it has no manager and belongs to a company. */
export async function aProject(
  { deps: { db } }: TestApp,
  user_id: string | null,
  managed_by: string | null = null,
): Promise<string> {
  const row = { user_id, managed_by, name: 'Tenders' }
  return (await db.insertInto('workspaces').values(row).returning('id').executeTakeFirstOrThrow()).id
}

export async function aPromptShare(
  { deps: { db } }: TestApp,
  prompt_id: string,
  person_id: string,
  within: string,
): Promise<string> {
  const row = { prompt_id, person_id, within, access: 'use' as const }
  return (await db.insertInto('prompt_shares').values(row).returning('id').executeTakeFirstOrThrow()).id
}

export async function anAssistant(
  { deps }: TestApp,
  owner: TestUser,
  company_id: string | null,
): Promise<string> {
  const row = { user_id: owner.id, name: 'Ada', status: 'published' as const }
  const { id } = await deps.db.insertInto('assistants').values(row).returning('id').executeTakeFirstOrThrow()
  const share = { assistant_id: id, access: 'use' as const, shared_by: owner.id }
  if (company_id)
    await deps.db
      .insertInto('assistant_shares')
      .values({ ...share, company_id })
      .execute()
  const content = {
    ...{ name: 'Ada', description: '', icon: null, agent_type: 'multi_turn', model_name: null },
    ...{
      system_prompt: '',
      example_prompts: [],
      temperature: null,
      documents: [],
      workspaces: [],
      tools: null,
    },
  }
  const version = { assistant_id: id, version: 1, saved_by: owner.id, content: JSON.stringify(content) }
  await deps.db
    .insertInto('assistant_versions')
    .values({ ...version, changed: '[]' })
    .execute()
  return id
}

/** Creates a prompt with one version, private or shared with the company. */
export async function aPrompt(
  { deps }: TestApp,
  owner: TestUser,
  company_id: string | null,
): Promise<string> {
  const words = { name: 'Ada', command: `ada-${randomUUID()}`, text: 'Hello' }
  const row = { user_id: owner.id, ...words }
  const { id } = await deps.db.insertInto('prompts').values(row).returning('id').executeTakeFirstOrThrow()
  const share = { prompt_id: id, company_id, access: 'use' as const, shared_by: owner.id }
  if (company_id) await deps.db.insertInto('prompt_shares').values(share).execute()
  const settings = { fields: [], assistant_id: null, model_name: null, tools: null, documents: [] }
  const version = { prompt_id: id, version: 1, saved_by: owner.id, changed: '[]' }
  await deps.db
    .insertInto('prompt_versions')
    .values({ ...version, content: JSON.stringify({ ...words, ...settings }) })
    .execute()
  return id
}
