import type { ToolRun } from '#shared/tools/tools/tool.ts'
import type sendLetter from './contract.ts'

const run: ToolRun<typeof sendLetter> = async ({ text }, { executionId, signal }) => {
  const url = process.env.TEST_LETTER_URL ?? ''
  await fetch(url, { method: 'POST', body: JSON.stringify({ id: executionId, text }), signal })
  return { sent: true }
}

export default run
