import { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { API_VERSION, type Scope } from '#shared/platform/http.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { listWireAssistants, slugOf } from '../openai/openai.ts'
import { answering } from './answering.ts'
import { type Asking, offerAsking } from './ask-assistant.ts'
import { offerDocuments } from './offer-documents.ts'

const INSTRUCTIONS =
  'Atrium is a workspace with a library of documents and with assistants that answer from them. Search the library and fetch what you ' +
  'need; ask an assistant where one fits the question. Everything is seen with the rights of the person who connected you.'

/** Builds the MCP server for one caller, with only what its key or consent covers. */
export function buildServer(deps: Deps, asking: Asking): McpServer {
  const server = new McpServer(
    { name: 'atrium', title: 'Atrium', version: API_VERSION },
    { instructions: INSTRUCTIONS },
  )
  const { caller } = asking
  if (isFor(caller, 'documents.read')) offerDocuments(server, deps, caller)
  if (isFor(caller, 'assistants')) {
    offerAssistants(server, deps, caller)
    if (isFor(caller, 'chat')) offerAsking(server, deps, asking)
  }
  return server
}

const isFor = (caller: Caller, scope: Scope) => caller.kind === 'key' && caller.key.scopes.includes(scope)

const ListedAssistants = z.object({
  assistants: z.array(z.object({ id: z.string(), name: z.string(), description: z.string() })),
})

function offerAssistants(server: McpServer, deps: Deps, caller: Caller): void {
  const about = {
    title: 'List assistants',
    description: 'The assistants of this workspace that may be asked, with what each is for.',
    outputSchema: ListedAssistants,
    annotations: { readOnlyHint: true, openWorldHint: false },
  }
  server.registerTool('list_assistants', about, () =>
    answering(async () => {
      const found = await listWireAssistants(deps, caller)
      const assistants = found.map(({ id, name, description }) => ({ id, name, description }))
      return { assistants }
    }),
  )
  server.registerPrompt(
    'ask_assistant',
    {
      title: 'Ask an assistant',
      description: 'Has an assistant of this workspace answer a question.',
      argsSchema: z.object({ assistant: z.string().max(300), question: z.string().max(4_000) }),
    },
    ({ assistant, question }) => ({
      messages: [
        {
          role: 'user' as const,
          content: {
            type: 'text' as const,
            text: `Ask the assistant "${slugOf(assistant)}" of Atrium with the tool ask_assistant, and tell me its answer with its sources.\n\n${question}`,
          },
        },
      ],
    }),
  )
}
