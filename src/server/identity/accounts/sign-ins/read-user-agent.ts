import type { SignIn } from '#shared/identity/accounts/own-account.ts'

type Device = Pick<SignIn, 'browser' | 'system' | 'form'>

/** Browsers in order of precedence: most also name their ancestors. */
const browsers: [marks: string[], name: string][] = [
  [['Edg/', 'EdgA/', 'EdgiOS/'], 'Edge'],
  [['OPR/', 'OPT/'], 'Opera'],
  [['SamsungBrowser/'], 'Samsung Internet'],
  [['Vivaldi/'], 'Vivaldi'],
  [['Firefox/', 'FxiOS/'], 'Firefox'],
  [['Chrome/', 'CriOS/', 'Chromium/'], 'Chrome'],
  [['Safari/'], 'Safari'],
  [['curl/'], 'curl'],
  [['python-requests/', 'python-httpx/'], 'Python'],
  [['node', 'undici'], 'Node.js'],
]
const systems: [mark: string, name: string, form: Device['form']][] = [
  ['iPhone', 'iPhone', 'phone'],
  ['iPad', 'iPad', 'tablet'],
  ['Android', 'Android', 'tablet'],
  ['Windows', 'Windows', 'computer'],
  ['Macintosh', 'macOS', 'computer'],
  ['CrOS', 'ChromeOS', 'computer'],
  ['Linux', 'Linux', 'computer'],
]

/** Returns a short device name, the same in every language; empty when unknown. */
export function nameDevice(userAgent: string | null): string {
  const { browser, system } = readUserAgent(userAgent)
  return [browser, system].filter((part) => part !== null).join(', ')
}

/** Parses a `User-Agent` into familiar names; null when it contains none. */
export function readUserAgent(userAgent: string | null): Device {
  const text = userAgent ?? ''
  const browser = browsers.find(([marks]) => marks.some((mark) => text.includes(mark)))?.[1] ?? null
  const [, system = null, form = 'program' as const] = systems.find(([mark]) => text.includes(mark)) ?? []
  // An Android tablet omits "Mobile".
  const isPhone = system === 'Android' && text.includes('Mobile')
  return { browser, system, form: isPhone ? 'phone' : form }
}
