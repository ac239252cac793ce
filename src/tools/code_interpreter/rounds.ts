/** One program of a call: its purpose, its code and its outcome. */
export type Round = {
  number: number
  step: string
  status: 'running' | 'success' | 'error'
  language: string
  code: string
  stdout: string
  stderr: string
}

const INDENT = '    '
const sections = { code: 'Generated code', stdout: 'Output', stderr: 'Errors' } as const
const words = { success: 'successful', error: 'not successful' }

/** Writes all rounds as one text. Code and output are indented, so that no output can look like a line of ours. */
export function writeLogs(rounds: readonly Round[]): string {
  return rounds
    .map(({ number, step, status, language, code, stdout, stderr }) =>
      [
        `Round ${number}/${rounds.length}: ${step.replaceAll(/\s+/g, ' ')}`,
        ...section(`${sections.code} (${language}):`, code),
        ...section(`${sections.stdout}:`, stdout),
        ...section(`${sections.stderr}:`, stderr),
        `Status: ${status === 'success' ? words.success : words.error}`,
      ].join('\n'),
    )
    .join('\n\n')
}

function section(head: string, text: string): string[] {
  const body = text.replace(/\n$/, '')
  return body === '' ? [] : [head, ...body.split('\n').map((line) => INDENT + line)]
}

/** Parses a text of `writeLogs`; returns an empty list for any other text. */
export function readLogs(logs: string): Round[] {
  const rounds: Round[] = []
  let current: 'code' | 'stdout' | 'stderr' | null = null
  for (const line of logs.split('\n')) {
    const round = rounds.at(-1)
    const begun = /^Round (\d{1,6})\/\d{1,6}: (.*)$/.exec(line)
    if (begun) {
      const [, number = '', step = ''] = begun
      const empty = { language: 'python', code: '', stdout: '', stderr: '' }
      rounds.push({ number: Number(number), step, status: 'error', ...empty })
      current = null
    } else if (!round) continue
    else if (line.startsWith(INDENT) && current)
      round[current] += `${round[current] === '' ? '' : '\n'}${line.slice(INDENT.length)}`
    else if (line.startsWith(`${sections.code} (`)) {
      round.language = /\((\w{1,40})\)/.exec(line)?.[1] ?? round.language
      current = 'code'
    } else if (line === `${sections.stdout}:`) current = 'stdout'
    else if (line === `${sections.stderr}:`) current = 'stderr'
    else if (line === `Status: ${words.success}`) round.status = 'success'
  }
  return rounds
}
