import type { Agent } from '../../runs/runs/runs.ts'
import { executionId } from '../../runs/runs/runs.ts'
import { executeTool } from './execute-tool.ts'
import type { ToolKit } from './work.ts'

/** Key of the only call of a standalone run. */
export const STANDALONE_CALL = 'call'

/** Creates the agent that executes the one tool of a standalone run. */
export function createToolAgent(kit: ToolKit): Agent {
  return {
    version: 1,
    run: async (run) => {
      const { standalone, tool_choice } = run.input
      if (!standalone || !tool_choice) return
      const id = STANDALONE_CALL
      const execution_id = executionId(run.id, id)
      await executeTool(kit, run, {
        key: id,
        id,
        execution_id,
        tool_id: tool_choice,
        input: standalone.input,
      })
    },
  }
}
