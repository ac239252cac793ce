import { trimEndSlashes } from '#shared/platform/trim-slashes.ts'

/** Kinds of servers by their host, with the path to a file of a branch. */
const kinds: [RegExp, string][] = [
  [/(^|\.)github\./, 'blob/'],
  [/(^|\.)gitlab\./, '-/blob/'],
  [/^bitbucket\.org$/, 'src/'],
  [/(^|\.)(gitea|forgejo|codeberg)\./, 'src/branch/'],
]

/** Returns the web page of a file for servers whose host names their kind; null elsewhere. */
export function webAddressOf(repository: string, branch: string, path: string): string | null {
  const { hostname, origin, pathname } = new URL(repository)
  const kind = kinds.find(([host]) => host.test(hostname))
  if (!kind) return null
  const root = trimEndSlashes(pathname).replace(/\.git$/, '')
  const encode = (text: string) => text.split('/').map(encodeURIComponent).join('/')
  return `${origin}${root}/${kind[1]}${encode(branch)}/${encode(path)}`
}
