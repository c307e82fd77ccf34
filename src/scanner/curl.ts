// The command for curl that sends a request again, byte for byte, from whatever POSIX shell it is pasted into.

import type { HttpRequest } from './types.ts'

type Mask = (text: string) => string

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Headers that curl sets itself, and the one that marks the traffic of the scan. */
const ITS_OWN = /^(content-length|x-scan-id|connection)$/i

/**
 * The command; everything that comes from the target is quoted, its method too. Texts are masked before they are quoted, so that it
 * stays one command; `maskBytes` does the same for a body whose bytes are read as Latin-1.
 */
export function curlOf({ method, url, headers, body }: HttpRequest, mask: Mask, maskBytes: Mask): string {
  const host = URL.parse(url)?.host
  const kept = headers.filter(([name, value]) => !ITS_OWN.test(name) && !(/^host$/i.test(name) && value === host))
  const hasType = kept.some(([name]) => /^content-type$/i.test(name))
  const { before, words } = bodyOf(body, mask, maskBytes)
  return [
    `${before}curl -sSik --globoff --path-as-is`,
    // with -X HEAD curl waits for a body
    method === 'HEAD' && body === null ? '--head' : `-X ${/^\w+$/.test(method) ? method : quoted(method)}`,
    quoted(mask(url)),
    // a name with a semicolon is a header without a value; with a colon curl leaves the header out
    ...kept.map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : mask(`${name}: ${value}`))}`),
    ...(body === null || hasType ? [] : [`-H 'Content-Type:'`]),
    ...words,
  ].join(' ')
}

/** What stands before the command, and its words for the body. No argument of a command can have what is no UTF-8, or the character 0. */
function bodyOf(body: HttpRequest['body'], mask: Mask, maskBytes: Mask): { before: string; words: string[] } {
  if (body === null) return { before: '', words: [] }
  const bytes = Buffer.from(body)
  const text = bytes.toString()
  // --data-binary and --data would read a file where the text begins with @
  if (!text.includes('\u0000') && bytes.equals(Buffer.from(text)))
    return { before: '', words: [`--data-raw ${quoted(mask(text))}`] }
  const written = maskBytes(bytes.toString('latin1')).replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that cannot be written as they are
    /[\\\u0000-\u0008\u000b-\u001f\u007f-\u00ff]/g,
    (character) => `\\0${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return { before: `printf %b ${quoted(written)} | `, words: ['--data-binary @-'] }
}
