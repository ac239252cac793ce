import { AppError } from '#shared/platform/errors.ts'
import type { CodeFile, CodeLanguage, ModelQuestion } from '#shared/tools/tools/code-port.ts'
import type { CodeReadiness } from '#shared/tools/tools/code-readiness.ts'
import type { Round } from './rounds.ts'

export type Program = { language: CodeLanguage; code: string }

const MAX_STEPS = 6
/** Maximum characters of earlier output per round shown to a model. */
const MAX_OUTPUT_CHARACTERS = 6_000
const languages: Record<string, CodeLanguage> = {
  ...{ python: 'python', python3: 'python', py: 'python' },
  ...{ javascript: 'javascript', js: 'javascript', node: 'javascript', mjs: 'javascript' },
}

/** Returns the code blocks of a text; those without a language get the usual one. @throws AppError `invalid` for other languages */
export function findPrograms(text: string, usual: CodeLanguage): Program[] {
  return readBlocks(text).map(({ info, code }) => {
    const language = info === '' ? usual : languages[info]
    if (!language)
      throw new AppError('invalid', `Programs in ${info} cannot be run here, only Python and JavaScript.`)
    return { language, code }
  })
}

/** Returns the program in a model's answer: its only block, or its longest one. */
export function readProgram(answer: string, usual: CodeLanguage): Program | null {
  const blocks = readBlocks(answer).filter(({ info }) => info === '' || languages[info])
  const [longest] = blocks.toSorted((one, other) => other.code.length - one.code.length)
  return longest ? { language: languages[longest.info] ?? usual, code: longest.code } : null
}

function readBlocks(text: string): { info: string; code: string }[] {
  const blocks: { info: string; lines: string[] }[] = []
  let open: { info: string; lines: string[] } | null = null
  for (const line of text.split('\n')) {
    if (open && /^\s{0,3}```\s*$/.test(line)) {
      blocks.push(open)
      open = null
    } else if (open) open.lines.push(line)
    else if (/^\s{0,3}```[\w+#-]*\s*$/.test(line))
      open = { info: line.trim().slice(3).toLowerCase(), lines: [] }
  }
  // A truncated program, or one without a closing fence.
  if (open && open.lines.length > 0) blocks.push(open)
  return blocks
    .map(({ info, lines }) => ({ info, code: lines.join('\n').trimEnd() }))
    .filter(({ code }) => code !== '')
}

/** Returns the default language of programs. @throws AppError `not_available` if none can run */
export function usualLanguage(readiness: CodeReadiness[]): CodeLanguage {
  const ready = readiness.find(({ ok }) => ok)
  if (ready) return ready.language
  throw new AppError('not_available', readiness[0]?.trouble ?? 'No programs can be run here.')
}

type Wish = { request: string; context: string; folder: CodeFile[]; readiness: CodeReadiness }

export function askForPlan(wish: Wish): ModelQuestion {
  const system = `You plan programs in ${wish.readiness.language}. Split the task into the fewest steps that make sense, at most ${MAX_STEPS}; one is often enough. Each step becomes one program. Answer with one short line for each step, in the language of the task, each beginning with "- ", and nothing else.`
  return { system, turns: [{ role: 'user', text: describe(wish) }] }
}

/** Returns the steps a model wrote, one per line; the request itself if there are none. */
export function readPlan(answer: string, request: string): string[] {
  const lines = answer
    .split('\n')
    .map((line) => /^\s*(?:[-*•]|\d{1,2}[.)])\s+(\S.*)$/.exec(line)?.[1]?.trim())
  const steps = lines.filter((line) => line !== undefined).slice(0, MAX_STEPS)
  return steps.length > 0 ? steps.map((step) => step.slice(0, 300)) : [firstLine(request)]
}

export const firstLine = (text: string) => (text.trim().split('\n')[0] ?? '').slice(0, 300)

/** Requests the program of a step, or a better one after a failure. */
export function askForProgram(wish: Wish, plan: string[], step: number, rounds: Round[]): ModelQuestion {
  const { language, libraries } = wish.readiness
  const tools =
    language === 'python'
      ? `Libraries: the standard library${libraries.map((name) => `, ${name}`).join('')}. Save figures with savefig or show them with plt.show(); both keep a PNG.`
      : 'It is plain ECMAScript without modules, network or timers. Files of the folder: files.list(), files.read(name), files.write(name, text), files.remove(name).'
  const system = `You write programs in ${language} that run in a closed box without network. The working folder keeps its files from one program to the next; variables are lost. ${tools} Print what matters, briefly. Answer with exactly one code block.`
  const told = plan.map((line, index) => `${index + 1}. ${line}`).join('\n')
  const turns: ModelQuestion['turns'] = [{ role: 'user', text: `${describe(wish)}\n\nPlan:\n${told}` }]
  for (const { code, language, stdout, stderr, status } of rounds) {
    turns.push({ role: 'assistant', text: `\`\`\`${language}\n${code}\n\`\`\`` })
    const said = [stdout && `It printed:\n${cut(stdout)}`, stderr && `Errors:\n${cut(stderr)}`].filter(
      Boolean,
    )
    turns.push({
      role: 'user',
      text: `${said.join('\n') || 'It printed nothing.'}\n${status === 'success' ? 'It worked.' : 'It failed.'}`,
    })
  }
  const failed = rounds.at(-1)?.status === 'error'
  const wanted = failed
    ? `Mend the program of step ${step + 1}.`
    : `Write the program of step ${step + 1}: ${plan[step] ?? ''}`
  const last = turns.at(-1)
  if (last) last.text += `\n\n${wanted}`
  return { system, turns }
}

function describe({ request, context, folder }: Wish): string {
  const files = folder.map(({ name, size }) => `- ${name} (${size} bytes)`).join('\n')
  return [
    `Task:\n${request}`,
    context && `Context:\n${context}`,
    files ? `Files of the working folder:\n${files}` : 'The working folder is empty.',
  ]
    .filter(Boolean)
    .join('\n\n')
}

function cut(text: string): string {
  return text.length <= MAX_OUTPUT_CHARACTERS
    ? text
    : `${text.slice(0, MAX_OUTPUT_CHARACTERS / 2)}\n…\n${text.slice(-MAX_OUTPUT_CHARACTERS / 2)}`.toWellFormed()
}
