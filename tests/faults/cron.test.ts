import { expect, it } from 'vitest'
import { startApp } from '../support/app.ts'

it('runs a scheduled job once, however many processes know it', { timeout: 120_000 }, async () => {
  const app = await startApp({ jobs: false })
  const twin = await startApp({ jobs: false, address: app.address })
  const fired: { by: string; second: number }[] = []
  for (const [by, { deps }] of Object.entries({ app, twin })) {
    deps.jobs.register(
      'test.every-minute',
      async () => void fired.push({ by, second: new Date().getUTCSeconds() }),
      {
        cron: '* * * * *',
      },
    )
    await deps.jobs.start()
  }
  const deadline = Date.now() + 75_000
  while (fired.length === 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  await twin.close()
  await app.close()
  expect(fired).toHaveLength(1)
  expect(fired[0]?.second).toBeLessThan(10)
})
