// Members of the shop's club over REST: their standing, what they are invited with, and the tools of those who run it.
import { exec } from 'node:child_process'
import { type Area, type Call, json, object, Refusal, string, text } from '../route.ts'
import { rows } from '../state.ts'
import { invitation } from '../tokens.ts'
import { bound } from './auth.ts'

/** What a member can be; anything else is a fault of the program, as in a database with a list of its own. */
const ROLES = ['Customer', 'Employee', 'Manager']

const member = object({ name: string('alice'), nickname: string('al'), role: string('Customer') })

const signedIn = ({ user }: Call) => {
  if (user === undefined) throw new Refusal(401, 'Sign in first')
  return user
}

const memberOf = ({ state }: Call, name: string) =>
  rows(state, 'select name, nickname, role from members where name = ?', name)[0]

function setRole({ state }: Call, name: string, role: string): void {
  if (!ROLES.includes(role)) throw new Error(`${role} is no role`)
  state.db.prepare('update members set role = ? where name = ?').run(role, name)
}

export const members: Area = {
  flaws: [
    {
      id: 'member-role-sent-along',
      cwe: 915,
      operation: 'PATCH /api/account',
      parameter: 'role',
      shows: 'a member sets a role, of those that the shop knows alone',
    },
    {
      id: 'member-role-own',
      cwe: 269,
      operation: 'PUT /api/members/role',
      parameter: 'role',
      shows: 'a customer becomes an employee by what was made for those who run the shop',
    },
    {
      id: 'invitation-key',
      cwe: 1391,
      operation: 'GET /api/account/invitation',
      shows: 'the key of an invitation is a number of six digits',
    },
    {
      id: 'environment-told',
      cwe: 215,
      operation: '*',
      shows: 'a page for developers tells the environment',
      said: /environment/i,
    },
    {
      id: 'maintenance-unlimited',
      cwe: 307,
      operation: 'POST /api/maintenance',
      parameter: 'password',
      shows: 'the password of what nobody calls a sign-in can be guessed without end',
    },
    {
      id: 'find-shell',
      cwe: 78,
      operation: 'GET /api/tools/find',
      parameter: 'name',
      shows: 'a second command is run where what follows the value is taken for a comment',
    },
  ],
  routes: [
    {
      method: 'GET',
      path: '/api/account',
      access: 'user',
      spec: { summary: 'The membership of the signed-in user', answer: member },
      handle: (call) => json(memberOf(call, signedIn(call).name)),
    },
    {
      method: 'PATCH',
      path: '/api/account',
      access: 'user',
      spec: { summary: 'Changes the nickname', body: object({ nickname: string('ally') }), answer: member },
      handle: (call) => {
        const { name } = signedIn(call)
        if (typeof call.body.role === 'string' && call.on('member-role-sent-along')) setRole(call, name, call.body.role)
        call.state.db
          .prepare('update members set nickname = ? where name = ?')
          .run(text(call.body.nickname) || name, name)
        return json(memberOf(call, name))
      },
    },
    {
      method: 'PUT',
      path: '/api/members/role',
      access: 'user',
      spec: {
        summary: 'Gives a member a role',
        body: object({ username: string('carol'), role: string('Employee') }, ['username', 'role']),
        answer: object({ changed: { type: 'boolean' } }),
      },
      handle: (call) => {
        if (signedIn(call).role !== 'admin' && !call.on('member-role-own')) throw new Refusal(403, 'This is not yours')
        setRole(call, text(call.body.username), text(call.body.role))
        return json({ changed: true })
      },
    },
    {
      method: 'GET',
      path: '/api/account/invitation',
      access: 'user',
      spec: { summary: 'What a friend joins with', answer: object({ invitation: string('eyJ') }) },
      handle: (call) => json({ invitation: invitation(call.state.keys, signedIn(call).name, call.on) }),
    },
    {
      method: 'GET',
      path: '/debug',
      handle: ({ on }) => {
        if (!on('environment-told')) throw new Refusal(404, 'There is nothing here')
        return json({
          environment: { LANG: 'C.UTF-8', PATH: '/usr/local/bin:/usr/bin:/bin', SHOP_MODE: 'development' },
        })
      },
    },
    {
      method: 'POST',
      path: '/api/maintenance',
      spec: {
        summary: 'Says how the shop is, to who knows the password',
        body: object({ username: string('caretaker'), password: string('a-guess'), task: string('uptime') }, [
          'username',
          'password',
        ]),
        answer: object({ message: string('well') }),
      },
      handle: (call) => {
        bound(call, 'maintenance-unlimited', `maintenance ${text(call.body.username)}`)
        return json({ message: 'Password incorrect' })
      },
    },
    {
      method: 'GET',
      path: '/api/tools/find',
      spec: { summary: 'Whether there is a document', query: { name: string('terms.txt') } },
      handle: async ({ on, state, query }) => {
        const given = query.name ?? ''
        const name = on('find-shell') ? given : given.replace(/[^\w.-]/g, '')
        const line = `find . -maxdepth 1 -name ${name || 'x'} -prune`
        const found = await new Promise<string | null>((resolve) =>
          exec(line, { timeout: 5000, cwd: state.folder }, (error, out) => resolve(error === null ? out : null)),
        )
        return json({ found: found ?? 'nothing' })
      },
    },
  ],
}
