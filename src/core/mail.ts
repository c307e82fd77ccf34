// Sends mail through the operator's SMTP server, as plain text.

import { createTransport } from 'nodemailer'
import { allowedCall } from './calls-allowed.ts'

type Mail = { to: readonly string[]; subject: string; text: string }

export type Mailer = {
  /** Rejects with MailFailed if the server accepts it for no recipient. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** The mail could not be sent; the message is a sentence without the server's address or credentials. */
export class MailFailed extends Error {
  override readonly name = 'MailFailed'
}

const TIMEOUT = 10_000

/** `url`: smtp:// (STARTTLS if offered) or smtps://, with user and password; `from`: the sender. */
export function openMailer(url: string, from: string): Mailer {
  const transport = createTransport(
    {
      url,
      connectionTimeout: TIMEOUT,
      greetingTimeout: TIMEOUT,
      socketTimeout: TIMEOUT,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  return {
    async send({ to, subject, text }) {
      allowedCall()
      try {
        await transport.sendMail({ to: [...to], subject: subject.replace(/\s+/g, ' '), text })
      } catch (cause) {
        const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given'
        const status = cause instanceof Error && 'responseCode' in cause ? ` ${String(cause.responseCode)}` : ''
        throw new MailFailed(`The mail server did not take the message (${code}${status})`, { cause })
      }
    },
    close: () => transport.close(),
  }
}
