import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './crowd-process.ts'

export type Sent = {
  method: string
  path: string
  headers: Record<string, string>
  bytes: Buffer
  isChunked: boolean
}
/** Number of answers by status; 0 counts connections that ended without an answer. */
export type Answers = Map<number, number>

/** Sends requests on this many anonymous connections until `until`, each as soon as the previous one is answered. */
export async function sendAsCrowd(
  url: string,
  connections: number,
  next: () => Sent | null,
  until = Number.POSITIVE_INFINITY,
): Promise<Answers> {
  const answers: Answers = new Map()
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const work = async () => {
    while (performance.now() < until) {
      const sent = next()
      if (!sent) return
      const status = await sendOnce(url, agent, sent, until)
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
  return answers
}

function sendOnce(url: string, agent: Agent, sent: Sent, until: number): Promise<number> {
  const { method, path, headers, bytes, isChunked } = sent
  return new Promise((resolve) => {
    let status = 0
    const end = () => {
      clearTimeout(timer)
      resolve(status)
    }
    // Node adds no chunked encoding of its own to DELETE.
    const length: Record<string, string> = isChunked
      ? { 'transfer-encoding': 'chunked' }
      : bytes.length > 0
        ? { 'content-length': String(bytes.length) }
        : {}
    const asked = request(
      `${url}${path}`,
      { method, agent, headers: { ...headers, ...length } },
      (answer) => {
        status = answer.statusCode ?? 0
        answer.resume().on('end', end).on('error', end)
      },
    )
    const patience = Math.min(30_000, until - performance.now() + 500)
    const timer = setTimeout(() => asked.destroy(), patience).unref()
    // A server that answers early closes the connection during the upload; the answer counts.
    asked.on('error', () => sleep(5).then(end)).on('close', end)
    asked.end(bytes)
  })
}

/** Starts a crowd in a separate process, because sending would delay the requests timed here. */
export async function attackFromElsewhere(attack: Attack): Promise<{ answers: Promise<Answers> }> {
  const child = fork(new URL('./crowd-process.ts', import.meta.url))
  const answers = new Promise<Answers>((resolve, reject) => {
    child.on('message', (sent) => Array.isArray(sent) && resolve(new Map(sent as [number, number][])))
    child.on('error', reject).on('exit', (code) => reject(new Error(`The crowd ended with ${code}.`)))
  })
  answers.catch(() => {})
  child.send(attack)
  await once(child, 'message')
  return { answers }
}

export type Delays = { count: number; p50: number; p95: number; max: number }

/** Returns the times of one person's sequential requests until `over`, in milliseconds. */
export async function timeRequests(
  url: string,
  headers: Record<string, string>,
  isOver: () => boolean,
): Promise<Delays> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const taken: number[] = []
  while (!isOver()) {
    const began = performance.now()
    await new Promise<void>((resolve, reject) => {
      request(url, { agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`answered ${answer.statusCode}`))
        answer.resume().on('end', resolve)
      })
        .on('error', reject)
        .end()
    })
    taken.push(performance.now() - began)
    await sleep(15)
  }
  agent.destroy()
  taken.sort((a, b) => a - b)
  const at = (share: number) => Math.round((taken[Math.floor((taken.length - 1) * share)] ?? 0) * 10) / 10
  return { count: taken.length, p50: at(0.5), p95: at(0.95), max: at(1) }
}
