/** Variables of this process that programs need to start. */
const PLAIN = ['PATH', 'LANG', 'SystemRoot', 'PATHEXT']

/** Variables for proxies and certificates, in capitals. In many networks, `npx` and `uvx` need them to reach a registry. */
const NETWORK = new Set([
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['NPM_CONFIG_PROXY', 'NPM_CONFIG_HTTP_PROXY', 'NPM_CONFIG_HTTPS_PROXY', 'NPM_CONFIG_NOPROXY'],
  ...['NPM_CONFIG_CAFILE'],
])

type Environment = Record<string, string | undefined>

/** Returns the environment of a program that works in this folder: network settings, but no settings of Atrium. */
export function programEnvironment(folder: string, own: Environment = process.env): Record<string, string> {
  const plain = PLAIN.map((name): [string, string | undefined] => [name, own[name]])
  const kept = [...plain, ...networkOf(own)].flatMap(([name, value]) => (value ? [[name, value]] : []))
  return { ...Object.fromEntries(kept), HOME: folder, TMPDIR: folder }
}

/** Returns the passwords of proxies, which must not appear in a program's output. */
export function proxySecrets(own: Environment = process.env): string[] {
  return networkOf(own).flatMap(([, value = '']) => {
    const url = URL.canParse(value) ? new URL(value) : null
    return url?.password ? [url.password, decodeLoosely(url.password)] : []
  })
}

const networkOf = (own: Environment) =>
  Object.entries(own).filter(([name]) => NETWORK.has(name.toUpperCase()))

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
