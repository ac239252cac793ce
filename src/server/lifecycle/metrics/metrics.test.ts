import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { startApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { cleanAfterEach } from '#tests/cleanups.ts'
import { aReader } from '#tests/documents.ts'
import { calls, fails, says } from '#tests/model-server.ts'

/** A marker in everything that users write, name, send or search for. */
const CANARY = 'canari7f3'
const token = 'a-token-of-sixteen-and-more'
const bearer = { authorization: `Bearer ${token}` }

type Attribute = { key: string; value: { stringValue?: string } }
type SentSpan = {
  name: string
  spanId: string
  parentSpanId?: string
  attributes: Attribute[]
  events: unknown[]
}

let collector: ApiServer
let service: ApiServer
let chat: Chat
beforeAll(async () => {
  ;[collector, service] = await Promise.all([startApiServer(), startApiServer()])
  collector.answer({ body: {} })
  chat = await startChat({
    app: {
      config: {
        ...{ ATRIUM_METRICS_TOKEN: token, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
        ...{ OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=the%20house', ATRIUM_TOOLS_PRIVATE: service.url },
        ...{ ATRIUM_COMPATIBLE_NAME: `model-${CANARY}` },
      },
      jobs: true,
    },
    user: { username: `ada-${CANARY}`, role: 'super_admin' },
  })
})
afterAll(async () => {
  await collector.close()
  await service.close()
})

const metricsAt = (base: string, headers = {}) => fetch(`${base.replace('/api/v1', '')}/metrics`, { headers })

async function liveThroughADay() {
  const company = await chat.call('POST', '/admin/companies', { name: `Company ${CANARY}` })
  expect(company.status).toBe(201)
  service.answer({ status: 500, body: { error: `service says ${CANARY}` } })
  const tool = await chat.call('POST', '/tools/', {
    ...{ ui_name: `Tool ${CANARY}`, description: `About ${CANARY}` },
    call: {
      ...{ method: 'GET', address: `${service.url}/${CANARY}`, inputs: [] },
      answer: { keep: [], most_characters: 1_000, schema: null },
    },
  })
  expect(tool.status).toBe(201)
  const session = await chat.aSession({ title: `Chat ${CANARY}`, modelName: `model-${CANARY}/scripted` })
  chat.model.reply(
    [calls('calculator', { a: 1, b: 2, operation: 'add' }), calls(tool.body.id, { word: CANARY })],
    [says(`It is ${CANARY}.`)],
  )
  await (await chat.ask(session, `Tell me of ${CANARY}`)).ended
  await chat.call('POST', `/tools/${tool.body.id}/execute`, { inputs: {} })
  chat.model.always([fails(400, `no ${CANARY} here`)])
  await (await chat.ask(session, `And of ${CANARY} again`)).ended
  const reader = await aReader(chat.app, chat.url, chat.user)
  const upload = await reader.upload({ name: `${CANARY}.txt`, content: `Words of ${CANARY}` })
  await reader.processed(upload.body.id ?? upload.body.document?.id)
  await chat.call('GET', `/search/messages?q=${CANARY}`)
  await chat.call('GET', `/${CANARY}?token=${CANARY}`)
  await fetch(`${chat.url.replace('/api/v1', '')}/${CANARY}`, { headers: { 'x-name': CANARY } })
}

describe('metrics and traces', () => {
  it('label requests, runs, model and tool calls and jobs, without any user text [AD-15]', async () => {
    await liveThroughADay()
    const metrics = await (await metricsAt(chat.url, bearer)).text()
    for (const line of [
      /^atrium_request_seconds_count\{method="POST",route="\/api\/v1\/admin\/companies",outcome="2xx"\} 1$/m,
      /^atrium_request_seconds_count\{method="GET",route="\/\*",outcome="4xx"\} \d+$/m,
      /^atrium_run_seconds_count\{agent="multi_turn",outcome="completed"\} 1$/m,
      /^atrium_run_seconds_count\{agent="multi_turn",outcome="failed"\} 1$/m,
      /^atrium_model_call_seconds_count\{does="answer",provider="other",outcome="ok"\} 2$/m,
      /^atrium_model_call_seconds_count\{does="answer",provider="other",outcome="bad_request"\} \d+$/m,
      /^atrium_tool_call_seconds_count\{tool="calculator",outcome="ok"\} 1$/m,
      /^atrium_tool_call_seconds_count\{tool="api",outcome="failed"\} \d+$/m,
      /^atrium_job_seconds_bucket\{job="process-document",outcome="ok",le="\+Inf"\} \d+$/m,
      /^atrium_model_tokens_total\{provider="other",direction="out"\} \d+$/m,
      /^atrium_queue_jobs\{state="given_up"\} \d+$/m,
      /^atrium_workers 1$/m,
      /^atrium_database_up 1$/m,
      /^process_resident_memory_bytes \d+$/m,
    ])
      expect(metrics).toMatch(line)
    expect(metrics.toLowerCase()).not.toContain(CANARY)

    // The last spans are sent when the server stops.
    const heads = chat.model.heads
    await chat.close()
    const sent = collector.asked
    expect(sent.length).toBeGreaterThan(0)
    expect(sent[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-tenant': 'the house' } })
    const spans = sent.flatMap(({ body }) =>
      JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: SentSpan[] }[] }) =>
        scopeSpans.flatMap(({ spans }) => spans),
      ),
    ) as SentSpan[]
    const named = (name: string) => spans.filter((span) => span.name === name)
    const [request] = named('request POST /api/v1/sessions/:sessionId/messages')
    expect(request).toBeTruthy()
    const run = named('run multi_turn').find(({ parentSpanId }) => parentSpanId === request?.spanId)
    expect(run).toBeTruthy()
    const ofRun = spans.filter(({ parentSpanId }) => parentSpanId === run?.spanId).map(({ name }) => name)
    expect(ofRun).toEqual(
      expect.arrayContaining(['model_call answer other', 'tool_call calculator', 'tool_call api']),
    )
    expect(named('job process-document').length).toBeGreaterThan(0)
    expect(spans.flatMap(({ events }) => events ?? [])).toEqual([])
    for (const { body, headers } of sent)
      expect(`${body}${JSON.stringify(headers)}`.toLowerCase()).not.toContain(CANARY)

    // Providers receive no trace headers.
    const told = [...heads, ...service.asked.map(({ headers }) => headers)].flatMap(Object.keys)
    expect(told).toContain('user-agent')
    expect(told.filter((name) => /trace|baggage|b3/.test(name))).toEqual([])
  }, 90_000)
})

describe('access to the metrics', () => {
  const { afterwards } = cleanAfterEach()
  async function serverWith(config: Record<string, string>) {
    const app = await startApp({ config })
    afterwards(() => app.close())
    return app.listen()
  }

  it('is closed unless a setting opens it, and independent of administrator rights [AD-15]', async () => {
    const app = await startApp()
    afterwards(() => app.close())
    const { headers } = await aUser(app, { role: 'super_admin' })
    const answer = await metricsAt(await app.listen(), headers)
    expect(await answer.text()).not.toContain('atrium_')
    expect(answer.headers.get('content-type')).not.toContain('text/plain; version')
  })

  it('requires the token when one is set', async () => {
    const url = await serverWith({ ATRIUM_METRICS_TOKEN: token })
    expect((await metricsAt(url)).status).toBe(401)
    expect((await metricsAt(url, { authorization: `Bearer ${token}x` })).status).toBe(401)
    const answer = await metricsAt(url, bearer)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    expect(await answer.text()).toContain(
      'atrium_request_seconds_count{method="GET",route="/metrics",outcome="4xx"} 2',
    )
  })

  it('with loopback is limited to this machine, excluding a local proxy', async () => {
    const url = await serverWith({ ATRIUM_METRICS: 'loopback' })
    expect((await metricsAt(url)).status).toBe(200)
    const through = await metricsAt(url, { 'x-forwarded-for': '203.0.113.9' })
    expect([through.status, await through.json()]).toEqual([
      403,
      expect.objectContaining({ detail: expect.stringContaining('this machine') }),
    ])
  })
})

it('loads no OpenTelemetry code without an endpoint [AD-15]', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const seen = []
    registerHooks({ resolve: (name, context, next) => { seen.push(name); return next(name, context) } })
    const { openTelemetry } = await import('./src/server/platform/telemetry/telemetry.ts')
    const otel = () => seen.filter((name) => name.startsWith('@opentelemetry/')).length
    const off = await openTelemetry({ ATRIUM_METRICS: 'off' }, console)
    const before = [otel(), seen.includes('./metrics.ts'), off.isOn]
    const on = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_HEADERS: {}, OTEL_SERVICE_NAME: 'a' }, console)
    await on.close()
    console.log(JSON.stringify([before, otel() > 0, on.isOn]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../../../..', import.meta.url).pathname,
  })
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual([[0, false, false], true, true])
}, 60_000)
