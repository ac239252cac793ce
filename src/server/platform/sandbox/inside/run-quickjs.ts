import { createReadStream, writeSync } from 'node:fs'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core'
import { lowerPriority } from '../../process/lower-priority.ts'
import { frameHead, type Header, readFrames } from '../frames.ts'

/** The heap grows by doubling, so the process may need more than three times as much. */
const HEAP_BYTES = 256 * 1024 * 1024
/** Deeper recursion would end the process instead of the program (measured: 1 MB does). */
const STACK_BYTES = 128 * 1024
const RESULT = 4
/** Linux sends it when the CPU time limit is exceeded. */
const SIGXCPU = 24

type Status = { code: number } | { signal: number }
type Bounds = { cpu: number; memory: number; disk: number; files: number }

lowerPriority(10)

let code = ''
const files = new Map<string, Buffer>()
const written = new Set<string>()
const removed = new Set<string>()

await readFrames(createReadStream('', { fd: 0 }), async (header, bytes) => {
  const content: Buffer[] = []
  for await (const part of bytes) content.push(Buffer.from(part))
  if (header.kind === 'code') code = Buffer.concat(content).toString()
  else if (header.kind === 'file') files.set(String(header.name), Buffer.concat(content))
  else if (header.kind === 'bounds') {
    const status = await perform(header as unknown as Bounds)
    for (const name of [...written].slice(0, (header as unknown as Bounds).files * 2)) {
      const content = files.get(name)
      if (content) say({ kind: 'file', name, size: content.length }, content)
    }
    say({ kind: 'gone', names: [...removed] })
    say({ kind: 'end', ...status })
    process.exit(0)
  }
})

async function perform(bounds: Bounds): Promise<Status> {
  const quickjs = await newQuickJSWASMModuleFromVariant(variant)
  const runtime = quickjs.newRuntime()
  runtime.setMemoryLimit(Math.min(bounds.memory / 4, HEAP_BYTES))
  runtime.setMaxStackSize(STACK_BYTES)
  const end = performance.now() + bounds.cpu * 1000
  runtime.setInterruptHandler(() => performance.now() > end)
  const context = runtime.newContext()
  offerConsole(context)
  offerFiles(context, bounds.disk)
  const result = context.evalCode(code, 'code.js', { type: 'module' })
  const exit = result.error ? fail(context, result.error) : settle(context, runtime, result.value)
  return exit !== 0 && performance.now() > end ? { signal: SIGXCPU } : { code: exit }
}

/** A module may use top-level await; its rejection fails the program. */
function settle(context: QuickJSContext, runtime: QuickJSRuntime, value: QuickJSHandle): number {
  const jobs = runtime.executePendingJobs()
  if (jobs.error) return fail(context, jobs.error)
  const state = context.getPromiseState(value)
  if (state.type === 'rejected') return fail(context, state.error)
  if (state.type === 'fulfilled') return 0
  writeSync(2, 'The program waits for something that never comes.\n')
  return 1
}

function fail(context: QuickJSContext, error: QuickJSHandle): number {
  const told = context.dump(error) as { name?: string; message?: string; stack?: string } | string
  const text =
    typeof told === 'object' && told !== null
      ? `${told.name ?? 'Error'}: ${told.message ?? ''}\n${told.stack ?? ''}`
      : String(told)
  writeSync(2, `${text.trimEnd()}\n`)
  return 1
}

function offerConsole(context: QuickJSContext): void {
  const console_ = context.newObject()
  for (const [name, descriptor] of Object.entries({ log: 1, info: 1, debug: 1, warn: 2, error: 2 })) {
    const speak = context.newFunction(name, (...values) => {
      const line = values.map((value) => show(context.dump(value))).join(' ')
      writeSync(descriptor, `${line}\n`)
    })
    context.setProp(console_, name, speak)
  }
  context.setProp(context.global, 'console', console_)
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? String(value))
}

/** Offers the working folder to the program: `files.list()`, `read(name)`, `write(name, text)`, `remove(name)`. */
function offerFiles(context: QuickJSContext, disk: number): void {
  const folder = context.newObject()
  const offer = (name: string, work: (...values: string[]) => QuickJSHandle | undefined) => {
    const handle = context.newFunction(name, (...values) =>
      work(...values.map((one) => context.getString(one))),
    )
    context.setProp(folder, name, handle)
  }
  offer('list', () => {
    const names = context.newArray()
    for (const [index, name] of [...files.keys()].entries())
      context.setProp(names, index, context.newString(name))
    return names
  })
  offer('read', (name = '') => {
    const content = files.get(name)
    if (!content) throw new Error(`There is no file ${name}.`)
    return context.newString(content.toString())
  })
  offer('write', (name = '', text = '') => {
    const content = Buffer.from(text)
    const used = [...files].reduce((sum, [other, { length }]) => sum + (other === name ? 0 : length), 0)
    if (used + content.length > disk) throw new Error('The working folder is full.')
    files.set(name, content)
    written.add(name)
    removed.delete(name)
    return undefined
  })
  offer('remove', (name = '') => {
    if (files.delete(name)) removed.add(name)
    return undefined
  })
  context.setProp(context.global, 'files', folder)
}

function say(header: Header, content: Buffer = Buffer.alloc(0)): void {
  const all = Buffer.concat([frameHead(header), content])
  for (let at = 0; at < all.length; ) at += writeSync(RESULT, all, at)
}
