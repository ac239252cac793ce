import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { cleanAfterEach } from '../support/cleanups.ts'
import { copyCheckout } from '../support/product-copy.ts'

const { aFolder } = cleanAfterEach()

it('builds a checkout once when two processes start together', { timeout: 240_000 }, async () => {
  const root = join(aFolder('builds'), 'checkout')
  copyCheckout(root)
  const build = () => {
    const child = spawn(process.execPath, ['scripts/build.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return Promise.all([text(child.stdout), text(child.stderr)])
  }
  const [first, second] = await Promise.all([build(), build()])
  const output = [...first, ...second].join('')
  expect(output.match(/^Building .*/gm)?.sort()).toEqual([
    'Building the server …',
    'Building the web interface …',
  ])
  expect(output.match(/^Built /gm)).toHaveLength(2)
})
