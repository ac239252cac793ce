import { type AddressInfo, createServer } from 'node:net'

/** Implements just enough of RFC 5321 to receive mails; `refuses` is the prefix of a line to refuse. */
export async function startSmtpServer({ refuses = '', with: answer = '535 no' } = {}) {
  let said = ''
  let isMute = false
  const server = createServer((socket) => {
    let inData = false
    socket.write('220 test\r\n')
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const text = chunk.toString()
      said += text
      for (const line of text.split('\r\n').filter(Boolean)) {
        if (inData && line !== '.') continue
        if (inData && isMute) continue
        if (line === 'DATA') socket.write('354 go on\r\n')
        else if (refuses && line.startsWith(refuses)) socket.write(`${answer}\r\n`)
        else socket.write(replyTo(line))
        inData = line === 'DATA'
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    said: () => said,
    /** Recipients of the mails that arrived whole, in order. */
    reached: () =>
      [...said.matchAll(/RCPT TO:<([^>]*)>[^\r]*\r\n(?:(?!RCPT TO:)[\s\S])*?\r\n\.\r\n/g)].map(
        ([, to]) => to,
      ),
    /** While it is mute, accepts mails without confirming them. */
    mute: (on: boolean) => {
      isMute = on
    },
    close: () => server.close(),
  }
}

function replyTo(line: string): string {
  if (line === 'QUIT') return '221 bye\r\n'
  if (line.startsWith('EHLO')) return '250-test\r\n250 AUTH PLAIN\r\n'
  return line.startsWith('AUTH') ? '235 in\r\n' : '250 ok\r\n'
}
