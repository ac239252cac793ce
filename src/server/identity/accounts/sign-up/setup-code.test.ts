import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Platform } from '../../../platform/platform.ts'
import { assertSetupCode, forgetSetupCode } from './setup-code.ts'

it('the setup code is accepted in any case and with any separators, and no other code is [AU-08]', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-setup-'))
  const deps = { config: { dataDir } as Platform['config'] }
  const refused = { code: 'setup_code_required' }
  await expect(assertSetupCode(deps, undefined)).rejects.toMatchObject(refused)
  const code = readFileSync(join(dataDir, 'setup-code'), 'utf8').trim()
  expect(code).toMatch(/^([A-HJ-NP-Z2-9]{4}-){2}[A-HJ-NP-Z2-9]{4}$/)
  const alike = [code, code.toLowerCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')}\n`]
  for (const given of alike) await assertSetupCode(deps, given)
  const letter = (at: number) => code.slice(0, at) + (code[at] === 'A' ? 'B' : 'A') + code.slice(at + 1)
  const others = ['', letter(0), letter(13), code.slice(1), `${code}A`, code.replace(/[A-Z]/g, '')]
  for (const given of others.filter((other) => other !== code))
    await expect(assertSetupCode(deps, given)).rejects.toMatchObject(refused)
  await forgetSetupCode(deps)
  await expect(assertSetupCode(deps, code)).rejects.toMatchObject(refused)
})
