// The till: an application of scripts that asks most things only when something is pressed, and what other sites may have it do.
import { type Area, type Call, escaped, json, page, plain, Refusal, text } from '../route.ts'
import { rows } from '../state.ts'
import { formToken, refuseOtherSites } from './forms.ts'

/** What the till has counted, by the state that it belongs to. */
type Till = { favours: number; slips: string[]; lines: number[] }
const tills = new WeakMap<Call['state'], Till>()
const tillOf = ({ state }: Call): Till => {
  const till = tills.get(state) ?? { favours: 0, slips: [], lines: [] }
  tills.set(state, till)
  return till
}

/** The parts of addresses are put together, so that no text has them as a whole. */
const SCRIPT = `var ask = function (place, options) { return fetch(['', 'till', place].join('/'), options) }
document.getElementById('shelf').onclick = function () { ask('sto' + 'ck?shelf=' + 'kitchen') }
document.getElementById('slip').onsubmit = function (event) {
  event.preventDefault()
  var slip = JSON.stringify({ text: event.target.elements.text.value })
  ask('sli' + 'ps', { method: 'POST', headers: { 'content-type': 'application/json' }, body: slip })
}\n`

const parsed = (raw: Buffer): Record<string, unknown> => {
  try {
    return Object(JSON.parse(raw.toString()))
  } catch {
    throw new Refusal(400, 'The slip is not JSON')
  }
}

export const till: Area = {
  flaws: [
    {
      id: 'till-stock-sql',
      cwe: 89,
      operation: 'GET /till/stock',
      parameter: 'shelf',
      shows: 'a quote breaks a statement that a script asks for when a button is pressed',
      needs: 'browser',
    },
    {
      id: 'till-slip-trace',
      cwe: 209,
      operation: 'POST /till/slips',
      shows: 'JSON that is cut off is answered with a trace',
      said: /trace/,
      needs: 'browser',
    },
    {
      id: 'till-slip-other-sites',
      cwe: 352,
      operation: 'POST /till/slips',
      shows: 'JSON that another site sends as text is kept',
      needs: 'browser',
    },
    { id: 'till-favour-link', cwe: 352, operation: 'GET /till/favour', shows: 'a link changes what a page shows' },
    {
      id: 'till-lines-negative',
      cwe: 1284,
      operation: 'POST /till/lines',
      parameter: 'quantity',
      shows: 'a number of things below nothing is kept and shown',
    },
  ],
  routes: [
    {
      method: 'GET',
      path: '/till',
      access: 'user',
      handle: (call) => {
        const { favours, slips, lines } = tillOf(call)
        const shown = [...slips, ...lines].slice(-200).map((one) => `<li>${escaped(String(one))}</li>`)
        return page(
          'Till',
          `<p>${favours} favours</p><ul>${shown.join('')}</ul><a href="/till/favour?like=tea">A favour</a>
           <form action="/till/lines" method="post"><input type="number" name="quantity" value="1">${formToken(call, 'notes-other-sites')}<button>Add</button></form>
           <button id="shelf">Shelf</button><form id="slip"><input name="text"><button>Write a slip</button></form>
           <script src="/till/script.js"></script>`,
        )
      },
    },
    {
      method: 'GET',
      path: '/till/script.js',
      handle: () => ({ headers: { 'content-type': 'text/javascript' }, body: SCRIPT }),
    },
    {
      method: 'GET',
      path: '/till/stock',
      access: 'user',
      handle: ({ on, state, query }) => {
        const { shelf = '' } = query
        const isBroken = on('till-stock-sql')
        const select = 'select name from products where kind = '
        try {
          return json(isBroken ? rows(state, `${select}'${shelf}'`) : rows(state, `${select}?`, shelf))
        } catch (error) {
          throw new Refusal(500, error instanceof Error ? `SQLite error: ${error.message}` : 'failed')
        }
      },
    },
    {
      method: 'POST',
      path: '/till/slips',
      access: 'user',
      faultsShownBy: 'till-slip-trace',
      handle: (call) => {
        const { on, headers, raw } = call
        const isJson = (headers['content-type'] ?? '').startsWith('application/json')
        if (!isJson && !on('till-slip-other-sites')) throw new Refusal(415, 'Send JSON')
        const body = isJson ? call.body : parsed(raw)
        if (typeof body.text !== 'string') throw new Refusal(400, 'A slip has a text')
        tillOf(call).slips.push(body.text)
        return json({ kept: true }, 201)
      },
    },
    {
      method: 'GET',
      path: '/till/favour',
      access: 'user',
      handle: (call) => {
        if (call.on('till-favour-link')) tillOf(call).favours += 1
        return plain('Thank you')
      },
    },
    {
      method: 'POST',
      path: '/till/lines',
      access: 'user',
      handle: (call) => {
        refuseOtherSites(call, 'notes-other-sites')
        const quantity = Number(text(call.body.quantity))
        if (!Number.isInteger(quantity) || (quantity < 1 && !call.on('till-lines-negative')))
          throw new Refusal(400, 'At least one')
        tillOf(call).lines.push(quantity)
        return { status: 303, headers: { location: '/till' }, body: '' }
      },
    },
  ],
}
