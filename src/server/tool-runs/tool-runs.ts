import { AppError } from '#shared/errors.ts'
import * as contract from '#shared/tools/tools.ts'
import type { Feature } from '../features.ts'
import { serve } from '../http/serve.ts'
import { getRuns } from '../runs/runs.ts'
import { describeTool } from './describe-tool.ts'

/** Tools as people meet them: what there is. */
export const serveToolRuns: Feature = (server, deps) => {
  const { tools } = getRuns(deps)
  serve(server, contract.listTools, {
    handle: async () => (await tools.load()).map(describeTool),
  })
  serve(server, contract.getTool, {
    guard: ({ params }) => assertTool(tools.ids, params.toolId),
    handle: async ({ params }) => {
      const tool = await tools.find(params.toolId)
      if (!tool) throw unknownTool(params.toolId)
      return describeTool(tool)
    },
  })
}

function assertTool(ids: string[], id: string): void {
  if (!ids.includes(id)) throw unknownTool(id)
}

function unknownTool(id: string): AppError {
  return new AppError('not_found', `Tool with ID ${id} not found.`)
}
