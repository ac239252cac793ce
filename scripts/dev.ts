import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'

/** `npm run dev`: runs the server with restarts on change, and the web with hot reload in front of it. */
const apiPort = process.env.PORT ?? '3000'
const server = spawn(
  process.execPath,
  ['--watch-path=src/server', '--watch-path=src/shared', '--watch-path=src/tools', 'src/server/main.ts'],
  {
    stdio: 'inherit',
    env: { ...process.env, PORT: apiPort },
  },
)

const web = await createServer({
  configFile: join(import.meta.dirname, '..', 'vite.config.ts'),
  configLoader: 'native',
  server: { host: '127.0.0.1', port: 5173, proxy: { '/api': `http://127.0.0.1:${apiPort}` } },
})
await web.listen()
web.printUrls()

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    server.kill(signal)
    await web.close()
    process.exit(0)
  })
}
