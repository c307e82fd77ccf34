// A request as it was sent, as the command that sends it again.

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Headers that curl writes by itself. */
const itsOwn = /^(host|content-length|connection|accept-encoding):/i

/** `request` is an HTTP request as text: its line, its headers, an empty line, its body; null where it is none. */
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
