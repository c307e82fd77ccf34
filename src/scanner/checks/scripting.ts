// Checks for cross-site scripting: a value comes back as a script that runs, in the response itself or on a page read later.

import type { Context, PassiveCheck, PointCheck } from '../check.ts'
import { headerOf, mediaTypeOf } from '../http.ts'
import { type Place, placesOf, runsIn } from '../markup.ts'
import { quietly, takesText, textValue } from '../probing.ts'
import { get, locationOf } from '../requests.ts'
import { mayOpen } from '../seed/names.ts'
import type { Exchange, Operation, Point } from '../types.ts'
import { freshBeside } from './fresh-texts.ts'

type Mark = { call: string; operation: Operation; point: Point }

/** What was sent, by its number, to be known where it is read later. */
const marks = new WeakMap<Context, Map<string, Mark>>()
const MOST_MARKS = 100_000

function markOf(operation: Operation, point: Point, context: Context): Mark {
  const number = String(context.number(9))
  const mark: Mark = { call: `alert(${number})`, operation, point }
  const known = marks.get(context) ?? new Map<string, Mark>()
  if (known.size < MOST_MARKS) known.set(number, mark)
  marks.set(context, known)
  return mark
}

/** Browsers read it as a page: HTML, or without a type and not told to believe it, and no answer that leads elsewhere. */
const isPage = ({ answer, text }: Exchange): boolean => {
  if (answer.status >= 300 && answer.status < 400 && headerOf(answer, 'location') !== '') return false
  const type = mediaTypeOf(answer)
  return ['text/html', 'application/xhtml+xml', 'image/svg+xml'].includes(type) || (type === '' && /<\w/.test(text))
}

const tags = (call: string) => [
  `<svg onload=${call}>`,
  `<img src=x onerror=${call}>`,
  `<script>${call}</script>`,
  `<ScRiPt>${call}</sCrIpT>`,
  `<details open ontoggle=${call}>`,
  `<scr<script>ipt>${call}</scr</script>ipt>`,
]

/** Payloads for where the value stands, the likeliest first. */
function payloadsFor(places: readonly Place[], call: string): string[] {
  return [...new Set(places.slice(0, 6).flatMap((place) => payloadsAt(place, call)))].slice(0, 16)
}

function payloadsAt(place: Place, call: string): string[] {
  switch (place.kind) {
    case 'text':
      return ['title', 'textarea', 'style', 'noscript', 'xmp', 'iframe', 'template', 'select', 'option'].includes(
        place.parent,
      )
        ? [`</${place.parent}><svg onload=${call}>`, ...tags(call)]
        : tags(call)
    case 'attribute':
      return [
        ...(place.isUrl && place.isStart ? [`javascript:${call}`, `JaVaScRiPt:${call}//`] : []),
        ...(place.isHandler ? [`';${call};//`, `");${call};//`, `');${call};//`, call] : []),
        `"><svg onload=${call}>`,
        `'><svg onload=${call}>`,
        `" autofocus onfocus=${call} x="`,
        `' autofocus onfocus=${call} x='`,
        `x onfocus=${call} autofocus `,
        `><svg onload=${call}>`,
      ]
    case 'script':
      return [
        `</script><svg onload=${call}>`,
        `';${call};//`,
        `";${call};//`,
        `"-${call}-"`,
        `'-${call}-'`,
        `\\';${call};//`,
        `\${${call}}`,
        call,
        `;${call};//`,
        `*/${call}/*`,
      ]
    case 'comment':
      return [`--><svg onload=${call}>`]
    case 'name':
      return [` onload=${call} `, `><svg onload=${call}>`]
  }
}

export const reflectedScript: PointCheck = {
  kind: 'point',
  id: 'cross-site-scripting',
  title: 'Reflected cross-site scripting (XSS)',
  cwes: [79],
  severity: 'HIGH',
  solution:
    'Escape values for their context in the page (text, attribute, script, URL), preferably with a template engine.',
  profile: 'BALANCED',
  accepts: takesText,
  async probe(point, operation, context) {
    const word = context.word()
    let isShown = false
    const ways = waysFor(point)
    for (const within of ways) {
      const looked = await context.attempt(operation, [{ point, value: within(word) }])
      if (!looked) return null
      if (within === asPage && !isPage(looked)) break
      if (!isPage(looked) && isUntold(looked, word) && !ways.includes(asPage)) ways.push(asPage)
      if (!isPage(looked) || !looked.text.includes(word)) continue
      isShown = true
      for (const made of payloadsFor(placesOf(looked.text, word), 'CALL')) {
        const mark = markOf(operation, point, context)
        const exchange = await context.attempt(operation, [
          { point, value: within(made.replaceAll('CALL', mark.call)) },
        ])
        const proof = exchange && isPage(exchange) && runsIn(exchange.text, mark.call)
        if (exchange && proof)
          return { detail: 'A script in the value runs in the page that is returned.', proof: [proof], exchange }
      }
      break
    }
    // what is stored shows later, where it is read
    if (!isShown || operation.kind !== 'read') await store(point, operation, context)
    return null
  },
}

/** What is sent as it is, and in an address where the value is one and nothing else may be taken. */
const waysFor = (point: Point): ((text: string) => string)[] => [
  (text) => text,
  ...(textValue(point).includes('@') ? [(text: string) => `${text}@example.com`] : []),
]

/** Servers that guess the type of an answer take one for a page that begins as a page does. */
const asPage = (text: string): string => `<p>${text}`
const isUntold = ({ answer, text }: Exchange, word: string): boolean =>
  ['text/plain', ''].includes(mediaTypeOf(answer)) && text.startsWith(word)

/** Leaves a script in what the operation keeps, behind the normal value where that has a form; DEEP alone may leave one for others. */
async function store(point: Point, operation: Operation, context: Context): Promise<void> {
  if (context.profile !== 'DEEP') return
  if (
    !['form', 'multipart', 'json', 'xml', 'variable', 'query'].includes(point.place) ||
    typeof point.value !== 'string'
  )
    return
  const isMail = /@/.test(point.value)
  // quotes end an attribute, and break what stores without escaping them
  for (const start of ['', `"'>`]) {
    const mark = markOf(operation, point, context)
    const script = `${start}<svg onload=${mark.call}>`
    const value = isMail ? `"${script}"@example.com` : `${textValue(point).slice(0, 20)}${script}`
    const beside = await freshBeside(point, operation, context)
    const exchange = await context.attempt(operation, [{ point, value }, ...beside])
    if (exchange) await readNext(exchange, context)
  }
}

/** The page that was made for what was sent, where the answer leads to it: passive checks look at it. */
async function readNext(exchange: Exchange, context: Context): Promise<void> {
  const next = locationOf(exchange)
  if (next && mayOpen(next)) await quietly(context.send(get(next.href)))
}

export const storedScript: PassiveCheck = {
  kind: 'passive',
  id: 'stored-cross-site-scripting',
  title: 'Stored cross-site scripting (XSS)',
  cwes: [79],
  severity: 'HIGH',
  solution:
    'Escape stored values for their context in the page (text, attribute, script, URL), preferably with a template engine.',
  readsRequest: true,
  profile: 'BALANCED',
  *look(exchange, context) {
    const known = marks.get(context)
    if (!known || !exchange.text.includes('alert(') || !isPage(exchange)) return
    const { url, headers, body } = exchange.request
    const sent = `${url} ${headers.map(([, value]) => value).join(' ')} ${body?.toString() ?? ''}`
    for (const number of new Set(exchange.text.match(/(?<=alert\()\d{9}(?=\))/g) ?? [])) {
      const mark = known.get(number)
      if (!mark || sent.includes(number)) continue
      const proof = runsIn(exchange.text, mark.call)
      if (!proof) continue
      yield {
        detail: `A script that was sent to ${mark.operation.key} runs in the page of ${exchange.operation || exchange.request.url}.`,
        proof: [proof],
        exchange,
        operation: mark.operation,
        point: mark.point,
        // what keeps a header keeps it of every page
        cause: mark.point.place === 'header' ? `${mark.operation.origin} ${mark.point.name}` : undefined,
      }
    }
  },
}
