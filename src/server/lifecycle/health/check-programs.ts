import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../../platform/platform.ts'
import { pythonLibraries } from '../../platform/sandbox/probe-box.ts'
import { type Found, found } from './found.ts'

/** How long to wait for a first sandbox trial, which continues in the background. */
const TRIAL_MS = 4_000

/** Reports which code can run and whether the sandbox resisted hostile programs. */
export async function checkSandbox({ sandbox }: Pick<Platform, 'sandbox'>): Promise<Found> {
  await Promise.race([sandbox.probe(), sleep(TRIAL_MS, undefined, { ref: false })])
  const known = sandbox.readiness()
  if (!known) return found('sandbox_trying')
  const python = known.find(({ language }) => language === 'python')
  const error = known.find(({ trouble }) => trouble)?.trouble ?? ''
  const checks = known.reduce((sum, one) => sum + Object.keys(one.checks).length, 0)
  if (!known.some(({ ok }) => ok)) return found('sandbox_open', { error })
  if (!python?.ok) return found('sandbox_no_python', { error })
  const packages = python.missing.map((name) => pythonLibraries[name as keyof typeof pythonLibraries] ?? name)
  if (packages.length > 0) {
    const names = python.missing.join(', ')
    return found('sandbox_libraries', { names, package: packages.join(' ') })
  }
  return found('sandbox_holds', { checks })
}

/** Reports the OCR program: the system's, or the slower packaged one. */
export async function checkOcr({ parsing }: Pick<Platform, 'parsing'>): Promise<Found> {
  const { version, lacking, hasBuiltIn, package: bringing } = (await parsing.probe()).ocr
  if (version !== null && lacking.length === 0) return found('ocr_system', { version })
  if (!hasBuiltIn) return found('ocr_missing', { package: bringing })
  if (version === null) return found('ocr_built_in', { package: bringing })
  return found('ocr_languages', { names: lacking.join(', '), package: bringing })
}

/** Checks that LibreOffice is installed and starts. */
export async function checkOffice({ parsing }: Pick<Platform, 'parsing'>): Promise<Found> {
  const { version, trouble, package: bringing } = (await parsing.probe()).office
  if (version !== null) return found('office_there', { version })
  if (trouble) return found('office_broken', { error: trouble })
  return found('office_missing', { package: bringing })
}
