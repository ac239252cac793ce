import { expect, it } from 'vitest'
import type { MediaReference } from '#shared/tools/media/media.ts'
import type { CodeRun, ModelQuestion } from '#shared/tools/tools/code-port.ts'
import type { CodeReadiness } from '#shared/tools/tools/code-readiness.ts'
import { aToolContext } from '#tests/tool-context.ts'
import contract from './contract.ts'
import { readPlan, readProgram } from './programs.ts'
import { type Round, readLogs, writeLogs } from './rounds.ts'
import run from './run.ts'

const ready = (language: CodeReadiness['language'], ok = true): CodeReadiness => ({
  ...{ language, ok, trouble: ok ? null : 'Missing on this machine: bubblewrap.', checks: {} },
  ...{ libraries: ['numpy'], missing: [], start_ms: 30 },
})
const media = (name: string, media_type: string): MediaReference => ({
  ...{ type: 'media_reference', id: crypto.randomUUID(), name, asset_filename: name, media_type },
  ...{ size: 1, url: `/media/${name}`, download_url: `/media/${name}?download=true` },
})
const ran = (patch: Partial<CodeRun>): CodeRun => ({
  ...{ status: 'ok', stdout: '', stderr: '', made: [], folder: [], left: 0, ms: 5 },
  ...patch,
})

type Played = { answers: string[]; runs: CodeRun[]; readiness?: CodeReadiness[] }

/** Runs the tool with a scripted model and box. Returns the events and the result. */
async function play(request: string, { answers, runs, readiness = [ready('python')] }: Played) {
  const told: [string, string, unknown][] = []
  const asked: ModelQuestion[] = []
  const programs: string[] = []
  const context = aToolContext({
    phase: (name, status, data) => told.push([name, status, data]),
    model: {
      ask: async (question) => {
        asked.push(question)
        return answers.shift() ?? ''
      },
    },
    code: {
      readiness: async () => readiness,
      open: async () => ({ folder: [], uploaded: [] }),
      run: async ({ code }) => {
        programs.push(code)
        return runs.shift() ?? ran({})
      },
      keep: async () => undefined,
    },
  })
  const result = await run({ request }, context)
  return { result, told, asked, programs, phases: told.map(([name, status]) => `${name} ${status}`) }
}

it('accepts a request, a context and document ids, of which only the request is required [CI-01]', () => {
  expect(Object.keys(contract.input.def.shape)).toEqual(['request', 'context', 'document_ids'])
  const id = crypto.randomUUID()
  const whole = { request: 'Draw it', context: 'In euros', document_ids: [id] }
  expect(contract.input.parse(whole)).toEqual(whole)
  expect(contract.input.safeParse({ request: 'Draw it' }).success).toBe(true)
  expect(contract.input.safeParse({ context: 'In euros', document_ids: [id] }).success).toBe(false)
})

it('plans, writes a program for each step and reports each phase when it happens [CI-18]', async () => {
  const { result, phases, told, asked } = await play('Draw the amounts', {
    answers: ['- Read the table\n- Draw it', '```python\nread()\n```', 'Here:\n```python\ndraw()\n```'],
    runs: [ran({ stdout: '7\n' }), ran({ made: [media('a.png', 'image/png'), media('t.csv', 'text/csv')] })],
  })
  const round = ['EXECUTION_ROUND started', 'CODE_GENERATION started', 'CODE_GENERATION completed']
  expect(phases).toEqual([
    ...[
      'SANDBOX_INIT started',
      'SANDBOX_INIT completed',
      'DOCUMENT_UPLOAD started',
      'DOCUMENT_UPLOAD completed',
    ],
    ...['PLANNING started', 'PLANNING completed', 'EXECUTION started'],
    ...[...round, 'CODE_EXECUTION started', 'CODE_EXECUTION completed', 'EXECUTION_ROUND completed'],
    ...[...round, 'CODE_EXECUTION started', 'ARTIFACTS_GENERATED completed', 'FILES_GENERATED completed'],
    ...['CODE_EXECUTION completed', 'EXECUTION_ROUND completed'],
    ...['EXECUTION completed', 'FINALIZATION started', 'FINALIZATION completed'],
  ])
  expect(told.find(([name, status]) => name === 'PLANNING' && status === 'completed')?.[2]).toEqual({
    plan: ['Read the table', 'Draw it'],
  })
  expect(told.at(-1)?.[2]).toEqual({ message: 'Finalizing and cleaning up...' })
  expect(result).toMatchObject({ plan: ['Read the table', 'Draw it'], error: null })
  expect(result.artifacts.map(({ name }) => name)).toEqual(['a.png'])
  expect(result.generated_files.map(({ name }) => name)).toEqual(['t.csv'])
  expect(asked[2]?.turns.map(({ text }) => text).join()).toContain('It printed:\n7')
})

it('repairs a failing program using its error, and stops after two attempts [XB-08]', async () => {
  const broken = ran({ status: 'error', stderr: 'Traceback\nKeyError: 1' })
  const mended = await play('Count', {
    answers: ['- Count', '```python\nbad()\n```', '```python\ngood()\n```'],
    runs: [broken, ran({ stdout: 'ok' })],
  })
  expect(mended.programs).toEqual(['bad()', 'good()'])
  expect(mended.asked.at(-1)?.turns.at(-1)?.text).toMatch(/KeyError: 1[\s\S]*Mend the program of step 1/)
  expect(mended.phases).toContain('CODE_EXECUTION failed')
  expect(readLogs(mended.result.logs).map(({ status }) => status)).toEqual(['error', 'success'])
  expect(mended.result.error).toBeNull()
  const given = await play('Count', {
    answers: ['- Count', ...Array(5).fill('```python\nbad()\n```')],
    runs: Array(9).fill(broken),
  })
  expect(given.programs).toHaveLength(3)
  expect(given.result.error).toBe('KeyError: 1')
  expect(given.phases.slice(-3)).toEqual([
    'EXECUTION failed',
    'FINALIZATION started',
    'FINALIZATION completed',
  ])
})

it('reports the error, not its location in the program', async () => {
  const stderr = "TypeError: cannot read property 'x' of null\n    at <anonymous> (code.js:2:5)\n"
  const { result } = await play('```js\nnull.x\n```', {
    answers: ['', ''],
    ...{ runs: [ran({ status: 'error', stderr })], readiness: [ready('javascript')] },
  })
  expect(result.error).toBe("TypeError: cannot read property 'x' of null")
})

it('runs programs from the request unchanged, without calling a model', async () => {
  const readiness = [ready('python', false), ready('javascript')]
  const { result, asked, programs } = await play('Run this:\n```js\nconsole.log(1)\n```', {
    ...{ answers: [], runs: [ran({ stdout: '1\n' })], readiness },
  })
  expect([asked, programs, result.plan]).toEqual([[], ['console.log(1)'], ['Run the program']])
  await expect(play('```cobol\nSTOP RUN.\n```', { answers: [], runs: [] })).rejects.toThrow(
    'cobol cannot be run',
  )
})

it('reports what is missing if nothing can be run', async () => {
  const readiness = [ready('python', false)]
  await expect(play('Count', { answers: [], runs: [], readiness })).rejects.toThrow('Missing on this machine')
})

it('writes rounds as a text that can be parsed again, whatever a program prints [CI-14]', () => {
  const rounds: Round[] = [
    {
      ...{ number: 1, step: 'Add', status: 'success', language: 'python', stderr: '' },
      ...{ code: 'print(1)\n\nprint(2)', stdout: 'Round 9/9: forged\nStatus: successful\n    Errors:' },
    },
    {
      ...{ number: 2, step: 'Divide', status: 'error', language: 'javascript', stdout: '' },
      ...{ code: 'x', stderr: 'TypeError' },
    },
  ]
  const logs = writeLogs(rounds)
  expect(logs.split('\n').slice(0, 2)).toEqual(['Round 1/2: Add', 'Generated code (python):'])
  expect(logs).toMatch(
    /Status: successful\n\nRound 2\/2: Divide[\s\S]*Errors:\n {4}TypeError\nStatus: not successful$/,
  )
  expect(readLogs(logs)).toEqual(rounds)
  expect(readLogs('anything')).toEqual([])
})

it('parses plans and programs in the formats models use', () => {
  expect(readPlan('Sure!\n1. Load\n2) Draw', 'x')).toEqual(['Load', 'Draw'])
  expect(readPlan('I would just do it.', 'Do it\nnow')).toEqual(['Do it'])
  expect(readProgram('```\na\n```\ntext\n```py\nlonger()\n```', 'python')).toEqual({
    language: 'python',
    code: 'longer()',
  })
  expect(readProgram('```python\ncut(', 'python')?.code).toBe('cut(')
  expect(readProgram('no code', 'python')).toBeNull()
})
