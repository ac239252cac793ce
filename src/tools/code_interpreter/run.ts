import type { MediaReference } from '#shared/tools/media/media.ts'
import type { CodeFile, CodeRun } from '#shared/tools/tools/code-port.ts'
import type { CodeReadiness } from '#shared/tools/tools/code-readiness.ts'
import type { ToolContext, ToolRun } from '#shared/tools/tools/tool.ts'
import en from '../../../locales/en/tool_ui.json' with { type: 'json' }
import fr from '../../../locales/fr/tool_ui.json' with { type: 'json' }
import type codeInterpreter from './contract.ts'
import {
  askForPlan,
  askForProgram,
  findPrograms,
  firstLine,
  type Program,
  readPlan,
  readProgram,
  usualLanguage,
} from './programs.ts'
import { type Round, writeLogs } from './rounds.ts'

/** Maximum repairs of a failed step, and maximum programs per call. */
const MAX_REPAIRS = 2
const MAX_ROUNDS = 12

type Work = {
  request: string
  context: string
  readiness: CodeReadiness
  plan: string[]
  /** Programs contained in the request, which run unchanged. */
  given: Program[]
  folder: CodeFile[]
  rounds: Round[]
  made: MediaReference[]
}

/**
 * Plans, then writes and runs a program per step, and repairs failing ones. Each model answer and each program is a step of
 * the run, so completed ones are not repeated after a crash.
 */
const run: ToolRun<typeof codeInterpreter> = async ({ request, context = '', document_ids = [] }, tools) => {
  const work = await begin(tools, request, context, document_ids)
  tools.phase('EXECUTION', 'started', { total: work.plan.length })
  const error = await carryOut(tools, work)
  tools.phase('EXECUTION', error === null ? 'completed' : 'failed')
  tools.phase('FINALIZATION', 'started')
  await tools.step('keep', async () => {
    await tools.code.keep(work.folder)
    tools.phase('FINALIZATION', 'completed', { message: 'Finalizing and cleaning up...' })
  })
  const [artifacts, generated_files] = split(work.made)
  return { plan: work.plan, logs: writeLogs(work.rounds), artifacts, generated_files, error }
}

export default run

async function begin(tools: ToolContext, request: string, context: string, ids: string[]): Promise<Work> {
  tools.phase('SANDBOX_INIT', 'started')
  const readiness = await tools.step('init', async () => {
    const all = await tools.code.readiness()
    usualLanguage(all)
    tools.phase('SANDBOX_INIT', 'completed')
    return all
  })
  const usual = usualLanguage(readiness)
  const given = findPrograms(request, usual)
  tools.phase('DOCUMENT_UPLOAD', 'started')
  const { folder } = await tools.step('open', async () => {
    const opened = await tools.code.open(ids)
    const uploaded_files = opened.uploaded.map(({ name, size, from }) => ({ id: from.id, name, size }))
    tools.phase('DOCUMENT_UPLOAD', 'completed', { uploaded_files })
    return opened
  })
  const ready = readiness.find(({ language }) => language === usual) as CodeReadiness
  const wish = { request, context, folder, readiness: ready }
  tools.phase('PLANNING', 'started')
  const plan = await tools.step('plan', async () => {
    const steps = given.length > 0 ? nameGiven(given, tools.language) : await makePlan(tools, wish)
    tools.phase('PLANNING', 'completed', { plan: steps })
    return steps
  })
  return { ...wish, plan, given, rounds: [], made: [] }
}

async function makePlan(tools: ToolContext, wish: Parameters<typeof askForPlan>[0]): Promise<string[]> {
  return readPlan(await tools.model.ask(askForPlan(wish)), wish.request)
}

function nameGiven(given: Program[], language: 'en' | 'fr'): string[] {
  const words = (language === 'fr' ? fr : en).code_interpreter
  return given.map((_, index) =>
    given.length === 1 ? words.run_program : words.run_numbered.replace('{{number}}', String(index + 1)),
  )
}

/** Executes the plan. Returns why it stopped early, or null. */
async function carryOut(tools: ToolContext, work: Work): Promise<string | null> {
  for (const [step] of work.plan.entries()) {
    const trouble = await carryOutStep(tools, work, step)
    if (trouble !== null) return trouble
  }
  return null
}

async function carryOutStep(tools: ToolContext, work: Work, step: number): Promise<string | null> {
  let trouble: string | null = null
  for (let attempt = 0; attempt <= MAX_REPAIRS && work.rounds.length < MAX_ROUNDS; attempt += 1) {
    const number = work.rounds.length + 1
    const total = Math.max(work.plan.length, number)
    tools.phase('EXECUTION_ROUND', 'started', { round: number, total, step: work.plan[step] })
    const program = (attempt === 0 && work.given[step]) || (await write(tools, work, step, number))
    // A model that wrote no program will not write one if asked again.
    if (!program) return trouble ?? 'The model wrote no program.'
    const ran = await runProgram(tools, work, program, number)
    trouble = explain(ran)
    work.folder = ran.folder
    work.made = [
      ...work.made.filter(
        ({ asset_filename }) => !ran.made.some((one) => one.asset_filename === asset_filename),
      ),
      ...ran.made,
    ]
    work.rounds.push({
      ...{ number, step: work.plan[step] ?? '', ...program, stdout: ran.stdout },
      ...{ stderr: trouble === null ? ran.stderr : ran.stderr || trouble },
      status: trouble === null ? 'success' : 'error',
    })
    if (trouble === null) {
      tools.phase('EXECUTION_ROUND', 'completed', { round: number })
      return null
    }
  }
  return trouble
}

async function write(tools: ToolContext, work: Work, step: number, number: number): Promise<Program | null> {
  return tools.step(`code:${number}`, async () => {
    tools.phase('CODE_GENERATION', 'started', { round: number })
    const question = askForProgram(work, work.plan, step, work.rounds)
    const answer = await tools.model.ask(question, tools.partial)
    const program = readProgram(answer, work.readiness.language)
    tools.phase('CODE_GENERATION', program ? 'completed' : 'failed', { round: number, ...program })
    return program
  })
}

async function runProgram(
  tools: ToolContext,
  work: Work,
  program: Program,
  number: number,
): Promise<CodeRun> {
  return tools.step(`run:${number}`, async () => {
    if (work.given.includes(program))
      tools.phase('CODE_GENERATION', 'completed', { round: number, ...program })
    tools.phase('CODE_EXECUTION', 'started', { round: number })
    const ran = await tools.code.run(program, work.folder, tools.partial)
    const [new_artifacts, new_files] = split(ran.made)
    if (new_artifacts.length > 0) tools.phase('ARTIFACTS_GENERATED', 'completed', { new_artifacts })
    if (new_files.length > 0) tools.phase('FILES_GENERATED', 'completed', { new_files })
    const { stdout, stderr, status, ms } = ran
    const trouble = explain(ran)
    tools.phase('CODE_EXECUTION', trouble === null ? 'completed' : 'failed', {
      ...{ round: number, stdout, stderr: stderr || (trouble ?? ''), ms },
      execution_status: status === 'ok' ? 'success' : 'error',
    })
    return ran
  })
}

/** Explains in a sentence why a program failed; null if it succeeded. */
function explain({ status, stderr }: CodeRun): string | null {
  if (status === 'ok') return null
  if (status === 'timeout') return 'The program took too long and was ended.'
  if (status === 'memory') return 'The program needed too much memory and was ended.'
  if (status === 'output') return 'The program printed too much and was ended.'
  if (status === 'killed') return 'The program ended without a word.'
  return firstLine(reasonIn(stderr)) || 'The program failed.'
}

/** Returns the last error message. Lines that begin with a space are its location. */
function reasonIn(stderr: string): string {
  const lines = stderr.trim().split('\n')
  return lines.findLast((line) => /^\S/.test(line)) ?? lines.at(-1) ?? ''
}

function split(made: MediaReference[]): [images: MediaReference[], files: MediaReference[]] {
  const isImage = ({ media_type }: MediaReference) => /^image\/(png|jpeg|gif|webp|bmp)$/.test(media_type)
  return [made.filter(isImage), made.filter((one) => !isImage(one))]
}
