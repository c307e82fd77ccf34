// Tools of the shop over REST that hand what they are given to an interpreter: a shell, a directory, a template, code.
import { exec, execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { escapeLdap, evaluate, matchesDocument, matchesLdap, matchesXpath, renderTemplate } from '../interpreters.ts'
import { type Area, type Call, json, list, object, plain, Refusal, string, text } from '../route.ts'

const people = [
  { uid: 'alice', mail: 'alice@shop.example', floor: '1', pin: '4711' },
  { uid: 'bob', mail: 'bob@shop.example', floor: '1', pin: '8127' },
  { uid: 'carol', mail: 'carol@shop.example', floor: '2', pin: '3390' },
]
const person = object({ uid: string('alice'), mail: string('alice@shop.example') })
const shown = (entries: typeof people) => json(entries.map(({ uid, mail }) => ({ uid, mail })))

const bound = { timeout: 5000, maxBuffer: 1024 * 1024 }

/** What a shell makes of the line, and what it complains of. */
const shell = (call: Call, line: string) =>
  new Promise<string>((resolve) => {
    exec(line, { ...bound, cwd: call.state.folder }, (_, out, errors) => resolve(out + errors))
  })

const run = async (call: Call, program: string, ...given: string[]) =>
  (await promisify(execFile)(program, given, { ...bound, cwd: call.state.folder })).stdout

export const tools: Area = {
  flaws: [
    {
      id: 'lookup-shell',
      cwe: 78,
      operation: 'GET /api/tools/lookup',
      parameter: 'host',
      shows: 'a second command is run, and its output answered',
    },
    {
      id: 'convert-shell',
      cwe: 78,
      operation: 'POST /api/tools/convert',
      parameter: 'options.format',
      shows: 'a command within quotes is run',
    },
    {
      id: 'backup-shell',
      cwe: 78,
      operation: 'POST /api/tools/backup',
      parameter: 'name',
      shows: 'a command is run, and nothing of it is answered',
      needs: 'listener',
    },
    {
      id: 'people-ldap',
      cwe: 90,
      operation: 'GET /api/people',
      parameter: 'uid',
      shows: 'a parenthesis changes the filter',
    },
    {
      id: 'badge-xpath',
      cwe: 643,
      operation: 'GET /api/badges',
      parameter: 'uid',
      shows: 'a true and a false condition answer differently',
    },
    {
      id: 'sessions-nosql',
      cwe: 943,
      operation: 'POST /api/sessions/search',
      parameter: 'user',
      shows: 'an operator in place of a value finds all',
    },
    {
      id: 'preview-template',
      cwe: 1336,
      operation: 'POST /api/mail/preview',
      parameter: 'template',
      shows: 'an expression in braces is evaluated',
    },
    {
      id: 'price-code',
      cwe: 94,
      operation: 'GET /api/tools/price',
      parameter: 'formula',
      shows: 'any expression is evaluated',
    },
  ],
  routes: [
    {
      method: 'GET',
      path: '/api/tools/lookup',
      spec: { summary: 'The name of a host', query: { host: string('localhost') } },
      handle: async (call) => {
        const { host = 'localhost' } = call.query
        if (call.on('lookup-shell')) return plain(await shell(call, `echo Looking for ${host}`))
        if (!/^[\w.-]+$/.test(host)) throw new Refusal(400, 'This is no name of a host')
        return plain(await run(call, 'echo', 'Looking for', host))
      },
    },
    {
      method: 'POST',
      path: '/api/tools/convert',
      spec: {
        summary: 'Converts a picture',
        body: object({ file: string('a.png'), options: object({ format: string('webp') }) }, ['file', 'options']),
        answer: object({ log: string('converted') }),
      },
      handle: async (call) => {
        const { options } = call.body
        const format = text(
          typeof options === 'object' && options !== null && 'format' in options ? options.format : '',
        )
        if (call.on('convert-shell')) return json({ log: await shell(call, `echo "converting to ${format}"`) })
        return json({ log: await run(call, 'echo', 'converting to', format.replace(/\W/g, '')) })
      },
    },
    {
      method: 'POST',
      path: '/api/tools/backup',
      spec: {
        summary: 'Makes a backup under a name',
        body: object({ name: string('monday') }, ['name']),
        answer: object({ started: string('yes') }),
      },
      handle: async (call) => {
        if (call.on('backup-shell')) await shell(call, `true ${text(call.body.name)} > /dev/null 2>&1`)
        return json({ started: 'yes' })
      },
    },
    {
      method: 'GET',
      path: '/api/people',
      spec: { summary: 'People of the directory', query: { uid: string('alice') }, answer: list(person) },
      handle: (call) => {
        const { uid = 'alice' } = call.query
        const filter = `(&(uid=${call.on('people-ldap') ? uid : escapeLdap(uid)})(floor=1))`
        return shown(people.filter((entry) => matchesLdap(filter, entry)))
      },
    },
    {
      method: 'GET',
      path: '/api/badges',
      spec: { summary: 'The badge of a person', query: { uid: string('carol') }, answer: list(person) },
      handle: (call) => {
        const { uid = 'carol' } = call.query
        if (!call.on('badge-xpath')) return shown(people.filter((entry) => entry.uid === uid))
        return shown(people.filter((entry) => matchesXpath(`uid='${uid}'`, entry)))
      },
    },
    {
      method: 'POST',
      path: '/api/sessions/search',
      spec: {
        summary: 'Sessions of a person',
        body: object({ user: string('bob') }, ['user']),
        answer: list(object({ user: string('bob'), floor: string('1') })),
      },
      handle: (call) => {
        const { user } = call.body
        const query = call.on('sessions-nosql') ? user : text(user)
        const found = people.filter(({ uid }) => matchesDocument(query, uid))
        return json(found.map(({ uid, floor }) => ({ user: uid, floor })))
      },
    },
    {
      method: 'POST',
      path: '/api/mail/preview',
      spec: {
        summary: 'What a letter will look like',
        body: object({ template: string('Dear customer') }, ['template']),
        answer: object({ letter: string('Dear customer') }),
      },
      handle: ({ on, body }) => {
        const template = text(body.template)
        return json({ letter: on('preview-template') ? renderTemplate(template) : template })
      },
    },
    {
      method: 'GET',
      path: '/api/tools/price',
      spec: {
        summary: 'A price by a formula of numbers, such as 3*4',
        query: { formula: string('7') },
        answer: object({ price: string('7') }),
      },
      handle: ({ on, query }) => {
        const { formula = '7' } = query
        if (on('price-code')) return json({ price: String(evaluate(formula)) })
        if (!/^\d{1,9}$/.test(formula)) throw new Refusal(400, 'This is no number')
        return json({ price: String(Number(formula)) })
      },
    },
  ],
}
