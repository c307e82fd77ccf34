// The head of an HTTP/1.1 response, read as leniently as browsers do: its status, its headers, and how long the body is.

import type { HttpAnswer } from './types.ts'

/** The bytes are not an HTTP response. */
export class BadAnswer extends Error {
  override name = 'BadAnswer'
}

type Head = { version: string } & Pick<HttpAnswer, 'status' | 'headers'>

/** Where the body of a response starts: in what, how many bytes are left of that, and whether the connection can be reused after it. */
type BodyStart = { state: 'body' | 'until-end' | 'chunk-size' | 'done'; left: number; isKept: boolean }

const [CR, LF] = [13, 10]

/** The position of the body, after the empty line; -1 while there is none. */
export function endOfHead(bytes: Buffer, at: number): number {
  for (let end = bytes.indexOf(LF, at); end >= 0; end = bytes.indexOf(LF, end + 1)) {
    const next = bytes[end + 1] === CR ? end + 2 : end + 1
    if (bytes[next] === LF) return next + 1
  }
  return -1
}

/** Throws BadAnswer. */
export function readHead(text: string): Head {
  const [first = '', ...rest] = text.split('\n')
  const found = /^HTTP\/(\d\.\d) (\d{3})(?!\d)/.exec(first)
  if (found === null) throw new BadAnswer('no status line')
  return { version: found[1] ?? '', status: Number(found[2]), headers: pairsOf(rest) }
}

/** An interim response is followed by another. */
export const isInterim = ({ status }: Head): boolean => status >= 100 && status < 200 && status !== 101

/** The length of the body as RFC 9112, 6.3 determines it. Throws BadAnswer. */
export function bodyStart(method: string, { version, status, headers }: Head): BodyStart {
  const connection = fieldOf(headers, 'connection').toLowerCase()
  const isKept = version === '1.1' ? !connection.includes('close') : connection.includes('keep-alive')
  const coding = fieldOf(headers, 'transfer-encoding').toLowerCase()
  const length = fieldOf(headers, 'content-length').split(',')[0]?.trim() ?? ''
  if (method === 'HEAD' || status === 101 || status === 204 || status === 304)
    return { state: 'done', left: 0, isKept: isKept && status !== 101 }
  if (/\bchunked$/.test(coding)) return { state: 'chunk-size', left: 0, isKept }
  if ((coding !== '' && coding !== 'identity') || length === '') return { state: 'until-end', left: 0, isKept: false }
  if (!/^\d{1,15}$/.test(length)) throw new BadAnswer('the length is no number')
  const left = Number(length)
  return { state: left === 0 ? 'done' : 'body', left, isKept }
}

/** Names are in lower case; a line that starts with a blank continues the one before. */
function pairsOf(lines: readonly string[]): [string, string][] {
  const pairs: [name: string, parts: string[]][] = []
  for (const line of lines) {
    const at = line.indexOf(':')
    const last = pairs.at(-1)
    if (last && (line.startsWith(' ') || line.startsWith('\t'))) last[1].push(line.trim())
    else if (at > 0) pairs.push([line.slice(0, at).trim().toLowerCase(), [line.slice(at + 1).trim()]])
  }
  return pairs.map(([name, parts]) => [name, parts.join(' ').trim()])
}

/** The first value of a header, whose name is given in lower case; '' if there is none. */
export const fieldOf = (headers: HttpAnswer['headers'], name: string): string =>
  headers.find(([given]) => given === name)?.[1] ?? ''
