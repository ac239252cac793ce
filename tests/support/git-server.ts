import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file with its content; a symbolic link or a submodule with its target. */
type File = string | Buffer | { link: string } | { submodule: string }

/** Git over HTTP, as the program `git http-backend` answers, with one repository. */
export type GitServer = {
  /** Address of the repository. */
  url: string
  token: string
  /** Requests by method and path, such as `POST /git-upload-pack`. */
  said: string[]
  /** Returns how to answer a request instead; null to answer it. */
  fault: (
    request: IncomingMessage,
  ) => { status: number; headers?: Record<string, string>; body?: Buffer } | null
  /** Replaces all files of a branch in a new commit, and returns its name. With `isForced`, the commit has no parents. */
  commit: (files: Record<string, File>, more?: { branch?: string; isForced?: boolean }) => string
  git: (...args: string[]) => string
  /** Stores an object that Git itself would not write, and returns its name. */
  store: (type: 'tree' | 'commit', bytes: Buffer) => string
  close: () => void
}

export async function startGitServer(): Promise<GitServer> {
  const root = mkdtempSync(join(tmpdir(), 'atrium-git-'))
  const folder = join(root, 'handbook.git')
  const run = (args: string[], input?: Buffer) => {
    const done = spawnSync('git', args, { cwd: root, ...(input && { input }), maxBuffer: 2 ** 28 })
    if (done.status !== 0) throw new Error(done.stderr.toString())
    return done.stdout.toString().trim()
  }
  run(['init', '--quiet', '--bare', '--initial-branch=main', folder])
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x')
    git.said.push(`${request.method} ${pathname.replace('/handbook.git', '')}`)
    const wanted = `Basic ${Buffer.from(`git:${git.token}`).toString('base64')}`
    if (git.token !== '' && request.headers.authorization !== wanted) return response.writeHead(401).end()
    const failure = git.fault(request)
    if (failure) return response.writeHead(failure.status, failure.headers).end(failure.body)
    runBackend(root, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const git: GitServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/handbook.git`,
    ...{ token: 'sesame', said: [], fault: () => null },
    git: (...args) => run(['-C', folder, ...args]),
    store: (type, bytes) =>
      run(['-C', folder, 'hash-object', '-t', type, '-w', '--literally', '--stdin'], bytes),
    commit: (files, { branch = 'main', isForced = false } = {}) => {
      const before = run(['-C', folder, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`])
      const from = before && !isForced ? before : null
      run(['-C', folder, 'fast-import', '--quiet', '--force'], importOf(files, branch, from))
      return run(['-C', folder, 'rev-parse', `refs/heads/${branch}`])
    },
    close: () => {
      server.close()
      server.closeAllConnections()
      rmSync(root, { recursive: true, force: true })
    },
  }
  return git
}

/** Writes a commit for `git fast-import`. */
function importOf(files: Record<string, File>, branch: string, from: string | null): Buffer {
  const parts: (string | Buffer)[] = [
    `${from === null ? `reset refs/heads/${branch}\n\n` : ''}commit refs/heads/${branch}\n`,
    'committer Ada <ada@example.com> 1793000000 +0000\ndata 0\n',
    ...[from === null ? '' : `from ${from}\n`, 'deleteall\n'],
  ]
  for (const [path, file] of Object.entries(files)) {
    const quoted = `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
    if (typeof file === 'object' && 'submodule' in file) {
      parts.push(`M 160000 ${file.submodule} ${quoted}\n`)
      continue
    }
    const isLink = typeof file === 'object' && 'link' in file
    const bytes = Buffer.from(isLink ? file.link : file)
    parts.push(`M ${isLink ? '120000' : '100644'} inline ${quoted}\ndata ${bytes.length}\n`, bytes, '\n')
  }
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}

/** Answers a request with the CGI program of Git. */
function runBackend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '', 'http://x')
  const child = spawn('git', ['http-backend'], {
    env: {
      ...{ PATH: process.env.PATH, GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', PATH_INFO: pathname },
      ...{ QUERY_STRING: search.slice(1), REQUEST_METHOD: request.method, REMOTE_ADDR: '127.0.0.1' },
      ...{
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        CONTENT_LENGTH: request.headers['content-length'],
      },
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => undefined)
  request.pipe(child.stdin)
  let head: Buffer | null = Buffer.alloc(0)
  child.stdout.on('data', (chunk: Buffer) => {
    if (head === null) return void response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const lines = head.toString('latin1', 0, end).split('\r\n')
    const headers = lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])
    const status = headers.find(([name]) => name === 'Status')?.[1]
    response.writeHead(Number(status?.slice(0, 3) ?? 200), Object.fromEntries(headers))
    response.write(head.subarray(end + 4))
    head = null
  })
  child.stdout.on('end', () => response.end())
}
