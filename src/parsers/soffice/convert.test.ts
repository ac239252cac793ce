import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { docxOf } from '#tests/office.ts'
import { oleOf } from '#tests/ole.ts'
import { forgetParsed, parseBytes } from '#tests/parsed.ts'
import { findProgram } from '../elements/programs.ts'

const path = process.env.PATH
afterEach(() => {
  process.env.PATH = path
})
afterAll(forgetParsed)

/** Replaces LibreOffice by a script. `$out` and `$source` are its arguments. Returns its folder. */
function withSoffice(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-soffice-'))
  const file = join(folder, 'soffice')
  writeFileSync(
    file,
    `#!/bin/bash\nwhile [ $# -gt 1 ]; do [ "$1" = --outdir ] && out=$2; shift; done\nsource=$1; mkdir -p "$out"\n${script}\n`,
  )
  chmodSync(file, 0o755)
  process.env.PATH = `${folder}:${path}`
  return folder
}

const bytes = docxOf('<w:p><w:r><w:t>Hello</w:t></w:r></w:p>')
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

describe('LibreOffice', () => {
  it('converts an Office file to PDF for the viewer', async () => {
    withSoffice('echo "%PDF made" > "$out/document.pdf"')
    const { keptText, warnings, text } = await parseBytes('a.docx', bytes, { pipeline: 'normal' })
    expect(await keptText('view.pdf')).toBe('%PDF made\n')
    expect([text, warnings]).toEqual(['Hello', []])
    expect((await parseBytes('a.docx', bytes, { pipeline: 'low_latency' })).kept).toEqual([])
  })

  it('is not required to read an Office file, but its absence causes a warning', async () => {
    process.env.PATH = ''
    const { text, warnings } = await parseBytes('a.docx', bytes, { pipeline: 'improved' })
    expect([text, warnings]).toEqual(['Hello', [{ code: 'geometry_missing' }]])
  })

  it('is required for older files', async () => {
    process.env.PATH = ''
    await expect(parseBytes('a.doc', oleOf(['WordDocument']))).rejects.toMatchObject({
      code: 'program_missing',
      values: { program: 'soffice', package: expect.stringContaining('libreoffice-writer') },
    })
  })

  it('converts older files for reading', async () => {
    const folder = withSoffice(`cp "$(dirname "$0")/new.docx" "$out/document.docx"`)
    writeFileSync(join(folder, 'new.docx'), bytes)
    expect(await parseBytes('a.doc', oleOf(['WordDocument']))).toMatchObject({ text: 'Hello', format: 'doc' })
  })

  it('ends with all processes it started when the job is cancelled', async () => {
    const folder = withSoffice('sleep 300 & echo $! > "$(dirname "$0")/pid"; wait')
    const controller = new AbortController()
    const reading = parseBytes('a.doc', oleOf(['WordDocument']), { signal: controller.signal })
    reading.catch(() => {})
    const pid = await expect
      .poll(() => Number(readFileSync(join(folder, 'pid'), 'utf8')), { timeout: 10_000 })
      .toBeGreaterThan(0)
      .then(() => Number(readFileSync(join(folder, 'pid'), 'utf8')))
    expect(isAlive(pid)).toBe(true)
    controller.abort(new Error('cancelled'))
    await expect(reading).rejects.toThrow('cancelled')
    await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false)
  })

  it('rejects a file as damaged if it writes no output', async () => {
    withSoffice('exit 1')
    await expect(parseBytes('a.doc', oleOf(['WordDocument']))).rejects.toMatchObject({ code: 'damaged' })
  })

  it('returns positions if it is installed, else a warning', async () => {
    const { elements, pages, warnings } = await parseBytes('a.docx', bytes, { pipeline: 'improved' })
    const isThere = findProgram('soffice') !== null
    expect(warnings).toEqual(isThere ? [] : [{ code: 'geometry_missing' }])
    expect(pages).toHaveLength(isThere ? 1 : 0)
    const [left, top, right, bottom] = elements[0]?.place?.boxes?.[0]?.box ?? [0, 0, 0, 0]
    expect(right > left && bottom > top && bottom < 0.5).toBe(isThere)
  }, 90_000)
})
