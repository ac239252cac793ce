import type { SignIn } from '#shared/identity/accounts/own-account.ts'

type Device = Pick<SignIn, 'browser' | 'system' | 'form'>

/** The first of which one mark stands in the text names it: most browsers also name those they descend from. */
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

/** A device in one short line, alike in every language; empty for one that says nothing. */
export function nameDevice(userAgent: string | null): string {
  const { browser, system } = readUserAgent(userAgent)
  return [browser, system].filter((part) => part !== null).join(', ')
}

/** What a `User-Agent` says about a device, in names people know; null where it says nothing they would. */
export function readUserAgent(userAgent: string | null): Device {
  const text = userAgent ?? ''
  const browser = browsers.find(([marks]) => marks.some((mark) => text.includes(mark)))?.[1] ?? null
  const [, system = null, form = 'program' as const] = systems.find(([mark]) => text.includes(mark)) ?? []
  // A tablet with Android is one that does not call itself mobile.
  const isPhone = system === 'Android' && text.includes('Mobile')
  return { browser, system, form: isPhone ? 'phone' : form }
}
