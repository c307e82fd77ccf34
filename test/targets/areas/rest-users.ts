// Users over REST: profiles, lists, registration, and who may see and change them.
import { type Area, type Call, integer, json, list, object, Refusal, string, text } from '../route.ts'
import { rows } from '../state.ts'

const profile = object({
  id: integer(11),
  name: string('alice'),
  email: string('alice@shop.example'),
  phone: string('+44 20 7946 011'),
  bio: string('likes tea'),
  role: string('user'),
})

const SEEN = 'id, name, email, phone, bio, role'

const signedIn = ({ user }: Call) => {
  if (user === undefined) throw new Refusal(401, 'Sign in first')
  return user
}

const found = (row: Record<string, unknown> | undefined) => {
  if (row === undefined) throw new Refusal(404, 'There is no such user')
  return row
}

export const users: Area = {
  flaws: [
    {
      id: 'user-read',
      cwe: 639,
      operation: 'GET /api/users/{id}',
      parameter: 'id',
      shows: "another user's profile is answered",
    },
    { id: 'user-password', cwe: 200, operation: 'GET /api/me', shows: 'the profile has the password in it' },
    {
      id: 'user-undescribed',
      cwe: 213,
      operation: 'GET /api/me/contacts',
      shows: 'the answer has fields that the description has not',
    },
    {
      id: 'user-role-set',
      cwe: 915,
      operation: 'PATCH /api/me',
      parameter: 'role',
      shows: 'a user makes themselves administrator',
    },
    {
      id: 'user-register-role',
      cwe: 915,
      operation: 'POST /api/register',
      parameter: 'role',
      shows: 'a new user is made administrator',
    },
    {
      id: 'user-find-sql',
      cwe: 89,
      operation: 'GET /api/users/find',
      parameter: 'email',
      shows: 'a quote changes the statement',
    },
    {
      id: 'any-user:GET /api/admin/users',
      cwe: 862,
      operation: 'GET /api/admin/users',
      shows: 'an ordinary user reads the list of administrators',
    },
    {
      id: 'any-user:POST /api/admin/announcements',
      cwe: 862,
      operation: 'POST /api/admin/announcements',
      shows: 'an ordinary user announces',
    },
    {
      id: 'open:GET /api/reports/daily',
      cwe: 306,
      operation: 'GET /api/reports/daily',
      shows: 'a report is answered without signing in',
    },
    {
      id: 'open:GET /api/staff/{id}',
      cwe: 306,
      operation: 'GET /api/staff/{id}',
      parameter: 'id',
      shows: 'a member of staff is answered without signing in',
    },
  ],
  routes: [
    {
      method: 'GET',
      path: '/api/me',
      access: 'user',
      spec: { summary: 'The profile of the signed-in user', answer: profile },
      handle: (call) => {
        const [row] = rows(call.state, `select ${SEEN}, password from users where id = ?`, signedIn(call).id)
        const { password, ...rest } = found(row)
        return json(call.on('user-password') ? { ...rest, password } : rest)
      },
    },
    {
      method: 'PATCH',
      path: '/api/me',
      access: 'user',
      spec: {
        summary: 'Changes the profile of the signed-in user',
        body: object({ phone: string('+44 20 7946 099'), bio: string('likes coffee') }),
        answer: profile,
      },
      handle: (call) => {
        const { id } = signedIn(call)
        const allowed = call.on('user-role-set') ? ['phone', 'bio', 'role'] : ['phone', 'bio']
        for (const field of allowed.filter((name) => call.body[name] !== undefined)) {
          call.state.db.prepare(`update users set ${field} = ? where id = ?`).run(text(call.body[field]), id)
        }
        return json(found(rows(call.state, `select ${SEEN} from users where id = ?`, id)[0]))
      },
    },
    {
      method: 'GET',
      path: '/api/me/contacts',
      access: 'user',
      spec: { summary: 'Whom the user may write to', answer: list(object({ id: integer(13), name: string('root') })) },
      handle: (call) => {
        const contacts = rows(call.state, `select ${SEEN} from users where role = 'admin'`)
        return json(call.on('user-undescribed') ? contacts : contacts.map(({ id, name }) => ({ id, name })))
      },
    },
    {
      method: 'GET',
      path: '/api/users/find',
      access: 'user',
      spec: {
        summary: 'Users with an address',
        query: { email: string('carol@shop.example') },
        answer: list(object({ name: string('carol') })),
      },
      handle: ({ on, state, query }) => {
        const email = query.email ?? ''
        if (!on('user-find-sql')) return json(rows(state, 'select name from users where email = ?', email))
        return json(rows(state, `select name from users where email = '${email}'`))
      },
    },
    {
      method: 'GET',
      path: '/api/users/{id}',
      access: 'user',
      spec: { summary: 'A profile; each user sees their own', path: { id: integer(11) }, answer: profile },
      handle: (call) => {
        const user = signedIn(call)
        const id = Number(call.params.id)
        if (!call.on('user-read') && user.id !== id && user.role !== 'admin')
          throw new Refusal(403, 'This is not yours')
        return json(found(rows(call.state, `select ${SEEN} from users where id = ?`, id)[0]))
      },
    },
    {
      method: 'POST',
      path: '/api/register',
      spec: {
        summary: 'Makes an account',
        body: object(
          { name: string('dave'), password: string('a-password-of-mine-1'), email: string('dave@shop.example') },
          ['name', 'password', 'email'],
        ),
        answer: object({ id: integer(15), name: string('dave'), email: string('d'), role: string('user') }),
      },
      handle: ({ on, state, body }) => {
        const name = text(body.name)
        if (name === '' || rows(state, 'select id from users where name = ?', name).length > 0) {
          throw new Refusal(409, 'This name cannot be had')
        }
        const role = on('user-register-role') && typeof body.role === 'string' ? body.role : 'user'
        state.db
          .prepare('insert into users (name, password, role, email) values (?, ?, ?, ?)')
          .run(name, text(body.password), role, text(body.email))
        return json(rows(state, 'select id, name, email, role from users where name = ?', name)[0], 201)
      },
    },
    {
      method: 'GET',
      path: '/api/admin/users',
      access: 'admin',
      spec: { summary: 'All users, for administrators', answer: list(profile) },
      handle: ({ state }) => json(rows(state, `select ${SEEN} from users where role <> 'none'`)),
    },
    {
      method: 'POST',
      path: '/api/admin/announcements',
      access: 'admin',
      spec: {
        summary: 'Announces a sentence to all, for administrators',
        body: object({ sentence: string('We close at noon') }),
        answer: object({ announced: string('We close at noon') }),
      },
      handle: ({ body }) => json({ announced: text(body.sentence) }, 201),
    },
    {
      method: 'GET',
      path: '/api/reports/daily',
      access: 'user',
      spec: {
        summary: 'What was sold today',
        answer: object({ sold: integer(12), takings: integer(1840), best: string('teapot') }),
      },
      handle: () => json({ sold: 12, takings: 1840, best: 'teapot' }),
    },
    {
      method: 'GET',
      path: '/api/staff/{id}',
      access: 'user',
      spec: {
        summary: 'A member of staff',
        path: { id: integer(3) },
        answer: object({ id: integer(3), name: string('Clerk 3'), extension: string('43') }),
      },
      handle: ({ params }) => json({ id: Number(params.id), name: `Clerk ${params.id}`, extension: `4${params.id}` }),
    },
  ],
}
