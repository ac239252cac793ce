import { vi } from 'vitest'
import { type Answers, answerCall, type Sent } from './render-page.tsx'

/** Content of an upload form. */
export type SentForm = { file: string; bytes: number } & Record<string, unknown>

/** Answers uploads instead of the browser's XMLHttpRequest. An answer that throws is a lost connection. */
export function fakeTransport(answers: Answers) {
  const sent: Sent[] = []
  class FakeRequest {
    upload: { onprogress: (event: { loaded: number }) => void } = { onprogress: () => undefined }
    onload = () => undefined
    onerror = () => undefined
    onabort = () => undefined
    status = 0
    responseText = ''
    private target = ['', ''] as [string, string]
    private isAborted = false
    open(method: string, url: string) {
      this.target = [method, url]
    }
    setRequestHeader() {}
    getResponseHeader() {
      return null
    }
    abort() {
      this.isAborted = true
      this.onabort()
    }
    async send(form: FormData) {
      const file = form.get('file') as File
      const fields = Object.fromEntries([...form].filter(([name]) => name !== 'file'))
      const body = JSON.stringify({ file: file.name, bytes: file.size, ...fields })
      this.upload.onprogress({ loaded: Math.floor(file.size / 2) })
      try {
        const [method, url] = this.target
        const answer = await answerCall(url, { method, body }, answers, sent)
        this.status = answer.status
        this.responseText = await answer.text()
        if (!this.isAborted) this.onload()
      } catch {
        if (!this.isAborted) this.onerror()
      }
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  return { forms: () => sent.map(({ body }) => body as SentForm), sent }
}
