import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { launchBrowser, openPage, type Page } from './chat-ui/browser.ts'
import { longHistory, replyTokens } from './chat-ui/conversation.ts'
import { type Entering, measureEntering } from './chat-ui/entering.ts'
import { type FakeApi, startFakeApi } from './chat-ui/fake-api.ts'
import { median, round } from './measure/statistics.ts'
import { atMost, below } from './measure/targets.ts'

const root = join(import.meta.dirname, '..')
const long = '00000000-0000-4000-8000-0000000005c0'
const longest = '00000000-0000-4000-8000-0000000007d0'

/**
 * Measures the cost of a chat in the browser: the built page in Chromium with a scripted server. A reply of 2,000 tokens at
 * 300 per second into a chat of 500 messages, then opening and scrolling a chat of 2,000 messages. A run is repeated if an
 * empty page has long tasks too. Then measures on the real product how long a chat takes from its address to a usable
 * composer, with cold and warm caches.
 *
 * --page dist/web --runs 5 --tokens 2000 --rate 300
 * --only entering | opening only this part
 * --profile file.cpuprofile one reply with the CPU profile of the page
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      page: { type: 'string', default: join(root, 'dist/web') },
      runs: { type: 'string', default: '5' },
      tokens: { type: 'string', default: '2000' },
      rate: { type: 'string', default: '300' },
      profile: { type: 'string' },
      only: { type: 'string' },
    },
  })
  if (!existsSync(join(values.page, 'index.html'))) throw new Error('Build the page first: npm run build')
  const runs = Number(values.runs)
  if (values.only === 'entering') {
    const entering = await measureEntering(runs)
    return { entering, targets: judgeEntering(entering) }
  }
  const tokens = replyTokens(Number(values.tokens))
  const chats = [
    { id: long, title: '500 messages', messages: longHistory(long, 500) },
    { id: longest, title: '2,000 messages', messages: longHistory(longest, 2000) },
  ]
  const reply = { tokens, perSecond: Number(values.rate) }
  const api = await startFakeApi({ page: values.page, locales: join(root, 'locales'), chats, reply })
  const browser = await launchBrowser()
  try {
    if (values.profile) return await profileReply(browser, api, values.profile)
    if (values.only === 'opening') {
      const opening = await measureOpening(browser, api, runs)
      return { opening, targets: judgeOpening(opening) }
    }
    const streaming = await measureReplies(browser, api, tokens.length, runs)
    const opening = await measureOpening(browser, api, runs)
    const entering = await measureEntering(runs)
    const targets = [...judgeReplies(streaming), ...judgeOpening(opening), ...judgeEntering(entering)]
    return { streaming, opening, entering, targets }
  } finally {
    await browser.close()
    await api.close()
  }
}

type Reply = {
  longTasks: number[]
  scriptMsPerToken: number
  taskMsPerToken: number
  seconds: number
  nodes: number
}
type Replies = Reply & { runs: Reply[]; discarded: number }

async function measureReplies(
  browser: Browser,
  api: FakeApi,
  tokens: number,
  runs: number,
): Promise<Replies> {
  const kept: Reply[] = []
  let discarded = 0
  while (kept.length < runs && discarded < runs * 4) {
    const control = await openPage(browser, `${api.url}/control.html`)
    const measured = await measureReply(browser, api, tokens)
    const isNoisy = (await control.longTasks()).length > 0
    await control.close()
    if (isNoisy) discarded += 1
    else kept.push(measured)
    console.error(`${isNoisy ? 'discarded' : 'kept'}: ${JSON.stringify(measured)}`)
  }
  const of = (pick: (reply: Reply) => number) => round(median(kept.map(pick)), 3)
  return {
    longTasks: kept.flatMap((reply) => reply.longTasks),
    scriptMsPerToken: of((reply) => reply.scriptMsPerToken),
    taskMsPerToken: of((reply) => reply.taskMsPerToken),
    seconds: of((reply) => reply.seconds),
    nodes: of((reply) => reply.nodes),
    runs: kept,
    discarded,
  }
}

async function measureReply(browser: Browser, api: FakeApi, tokens: number): Promise<Reply> {
  const page = await openPage(browser, `${api.url}/chat/${long}`)
  await page.shown()
  // By then, everything that loads when idle has been loaded.
  await page.rest(4000)
  await page.clearLongTasks()
  const before = await page.cpu()
  const started = performance.now()
  await page.send('Write the full renewal note.')
  await page.answered()
  const seconds = (performance.now() - started) / 1000
  const after = await page.cpu()
  const result = {
    longTasks: await page.longTasks(),
    scriptMsPerToken: round(((after.script - before.script) * 1000) / tokens, 3),
    taskMsPerToken: round(((after.task - before.task) * 1000) / tokens, 3),
    seconds: round(seconds, 1),
    nodes: (await page.read()).nodes,
  }
  await page.close()
  return result
}

async function profileReply(browser: Browser, api: FakeApi, file: string): Promise<object> {
  const page = await openPage(browser, `${api.url}/chat/${long}`)
  await page.shown()
  await page.rest(4000)
  const profile = await page.profile(async () => {
    await page.send('Write the full renewal note.')
    await page.answered()
  })
  writeFileSync(file, JSON.stringify(profile))
  await page.close()
  return { profile: file }
}

type Shown = { whole: number; afterData: number }
type Opening = Shown & {
  all: Shown[]
  nodesAt: Record<string, number>
  mostNodes: number
  loaded: number
}

async function measureOpening(browser: Browser, api: FakeApi, runs: number): Promise<Opening> {
  const all: Shown[] = []
  for (let at = 0; at < runs; at += 1) {
    const page = await openPage(browser, `${api.url}/chat/${longest}`)
    const { whole, afterData } = await page.shown()
    all.push({ whole: round(whole, 0), afterData: round(afterData, 0) })
    await page.close()
  }
  const page = await openPage(browser, `${api.url}/chat/${longest}`)
  await page.shown()
  const loaded = await loadAll(page)
  const nodesAt: Record<string, number> = {}
  for (const part of [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]) {
    await page.scrollTo(part)
    nodesAt[`${part * 100} %`] = (await page.read()).nodes
  }
  await page.close()
  const of = (pick: (shown: Shown) => number) => median(all.map(pick))
  const opened = { whole: of(({ whole }) => whole), afterData: of(({ afterData }) => afterData), all }
  return { ...opened, nodesAt, mostNodes: Math.max(...Object.values(nodesAt)), loaded }
}

/** Scrolls up until the oldest message is loaded. Returns the number of messages. */
async function loadAll(page: Page): Promise<number> {
  for (let at = 0; at < 60; at += 1) {
    await page.scrollTo(0)
    const { first, total } = await page.read()
    if (first === 1) return total
  }
  return 0
}

function judgeReplies(streaming: Replies) {
  return [
    atMost('long tasks while a reply streams', streaming.longTasks.length, 0, 'tasks'),
    atMost('script per token', streaming.scriptMsPerToken, 0.35, 'ms of thread time'),
  ]
}

function judgeOpening(opening: Opening) {
  return [
    below('2,000 messages: first page after data and view', opening.afterData, 500, 'ms'),
    below('2,000 messages: most DOM nodes', opening.mostNodes, 3000, 'nodes'),
  ]
}

function judgeEntering({ cold, cached }: Entering) {
  return [
    below('cached chat until one can write', cached.ms, 700, 'ms'),
    below('chat with an empty cache until one can write', cold.ms, 1500, 'ms'),
  ]
}
