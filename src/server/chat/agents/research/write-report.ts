import type { HandedResult } from '../../../models/models/handover.ts'
import type { ModelMessage } from '../../../models/models/port.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'
import type { AgentKit } from '../kit.ts'
import type { ModelCaller } from '../model/model-calls.ts'
import { createScreen } from '../model/screen.ts'
import { continueConversation } from '../planning/plan-prompts.ts'
import { fitResults } from '../prompt/fit-messages.ts'
import { citeFindings } from './cite-findings.ts'
import { type Findings, readFindings } from './findings.ts'
import { type Readable, readReadable } from './readable.ts'
import { REPORTING } from './research-prompts.ts'
import { researchText } from './research-texts.ts'
import type { Searched } from './search-one.ts'
import { tellSources } from './tell-sources.ts'

type Given = { model: ModelCaller; conversation: ModelMessage[]; searched: readonly Searched[] }

/** Writes the report and its evidence table. Without findings it says so and makes no model call. */
export async function writeReport(
  run: RunContext,
  kit: AgentKit,
  { model, conversation, searched }: Given,
): Promise<void> {
  const { language, message_id } = run.input
  const texts = researchText(language)
  const findings = readFindings(searched)
  if (findings.findings.length === 0) {
    await run.step('nothing', async (leaf) => {
      const screen = createScreen(leaf, message_id)
      const list = searched.map((one) => `- ${one.query.question} (${reasonOf(one, language)})`)
      screen.show(`${texts.nothing}\n\n${list.join('\n')}`)
      screen.end([], () => undefined, {})
      return null
    })
    return
  }
  await model.call(run, {
    ...{ messages: conversation, tool_choice: 'none' },
    notes: [{ event: 'agent_progress', progress: 100, step_name: texts.writing }],
    material: async () => {
      // Rights may have been revoked since the searches.
      const readable = await readReadable(kit, run.input, findings)
      const results = fitResults(run, resultsOf(searched, findings, readable, language))
      const messages = continueConversation(
        conversation,
        REPORTING,
        { results, step: null },
        tellSources(findings, readable),
      )
      return { messages, cited: citeFindings({ findings, readable, searched, language }) }
    },
  })
}

/** Formats the findings for each question with source numbers, or the reason there are none. */
function resultsOf(
  searched: readonly Searched[],
  { findings, sources }: Findings,
  readable: Readable,
  language: RunContext['input']['language'],
): HandedResult[] {
  const numbers = new Map(sources.map(({ id }, at) => [id, at + 1]))
  return searched.map((one, at) => {
    const own = findings.filter((finding) => finding.at === at && readable.has(finding))
    const lines = own.map(
      ({ text, sources: ids }) => `${text} ${ids.map((id) => `[${numbers.get(id)}]`).join('')}`,
    )
    const text = lines.join('\n') || `${one.query.question} (${reasonOf(one, language)})`
    return { number: at + 1, task: one.query.question, text }
  })
}

function reasonOf({ left, failure }: Searched, language: RunContext['input']['language']): string {
  const texts = researchText(language)
  return left === null ? (failure ?? texts.notFound) : texts.left[left]
}
