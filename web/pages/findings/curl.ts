// Turns a recorded HTTP request into the curl command that repeats it.

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Headers that curl sets itself. */
const itsOwn = /^(host|content-length|connection|accept-encoding):/i

/** `request` is an HTTP request as text: request line, headers, empty line, body. Returns null if it is not one. */
export function curlOf(request: string, url: string | null): string | null {
  const [head = '', ...rest] = request.replaceAll('\r\n', '\n').split('\n\n')
  const body = rest.join('\n\n')
  const [line = '', ...headers] = head.split('\n')
  const [, method, target] = /^([A-Z]+) (\S+)/.exec(line) ?? []
  if (method === undefined || target === undefined) return null
  const host = headers.find((header) => /^host:/i.test(header))?.replace(/^host:\s*/i, '')
  const address = /^https?:/.test(target) ? target : (url ?? (host === undefined ? null : `https://${host}${target}`))
  if (address === null) return null
  const parts = [
    `curl -i -X ${method} ${quoted(address)}`,
    ...headers.filter((header) => header.includes(':') && !itsOwn.test(header)).map((header) => `-H ${quoted(header)}`),
    ...(body === '' ? [] : [`--data-binary ${quoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}
