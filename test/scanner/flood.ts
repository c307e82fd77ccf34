// A target whose every answer is a gibibyte, sent as fast as it is read.

import type { IncomingMessage, ServerResponse } from 'node:http'

const MiB = 1024 * 1024
const CHUNKS = 1024

/** Answers any request with a page that is made of `text` alone. */
export function flood(text: string): (request: IncomingMessage, response: ServerResponse) => void {
  const chunk = Buffer.from(text.repeat(Math.ceil(MiB / text.length)))
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    let left = CHUNKS
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  }
}
