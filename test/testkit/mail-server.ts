// A local mail server that keeps what it receives.

import { type AddressInfo, createServer } from 'node:net'

type Received = { to: string[]; text: string }

/** Implements as much of SMTP as receiving a mail takes. */
export async function openMailServer() {
  const mails: Received[] = []
  const server = createServer((socket) => {
    let to: string[] = []
    let data: string | null = null
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 a mail server')
    let rest = ''
    socket.on('data', (chunk) => {
      rest += chunk
      const lines = rest.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (data !== null && line !== '.') data += `${line}\n`
        else if (data !== null) {
          mails.push({ to, text: data })
          data = null
          to = []
          say('250 taken')
        } else if (/^DATA/i.test(line)) {
          data = ''
          say('354 go on')
        } else {
          const recipient = /^RCPT TO:<(.*)>/i.exec(line)?.[1]
          if (recipient) to.push(recipient)
          say(/^QUIT/i.test(line) ? '221 bye' : '250 fine')
        }
      }
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const environment = { MERLON_SMTP_URL: `smtp://127.0.0.1:${port}`, MERLON_MAIL_FROM: 'merlon@example.test' }
  return { mails, environment, close: () => server.close() }
}
