// Words of other languages: what ends a session or deletes is known by them, and what only sounds alike is not.

import { expect, test } from 'vitest'
import { asksForReset, commandsHarm, isDestructive, mayOpen } from './names.ts'
import { destroysAbroad, signsInAbroad } from './other-languages.ts'
import { changesPassword } from './passwords.ts'

test.each([
  '/cerrar-sesion',
  '/cuenta/cerrarSesion',
  '/salir.php',
  '/usuarios/7/eliminar',
  '/borrar?id=3',
  '/index.php?accion=desconectar',
  '/sair',
  '/conta/excluir',
  '/redefinir-senha',
  '/deconnexion',
  '/d%C3%A9connexion',
  '/articles/3/supprimer',
  '/abmelden',
  '/konto/l%C3%B6schen',
  '/konto/loeschen',
  '/passwort-%C3%A4ndern',
  '/cambiar_contrasena',
  '/esci',
  '/uitloggen',
])('%s is not opened', (path) => {
  expect(mayOpen(new URL(path, 'http://shop.example/'))).toBe(false)
})

test.each(['/salida', '/eliminados', '/wissen', '/productos/clave', '/excursion', '/senhas-fortes'])(
  '%s is opened',
  (path) => {
    expect(isDestructive('GET', path)).toBe(false)
  },
)

test.each(['/olvide-mi-clave', '/recuperar-senha', '/mot-de-passe-oublie', '/passwort-vergessen', '/esqueci'])(
  '%s is for people who forgot their password, and opened where it names nobody',
  (path) => {
    expect(asksForReset(path)).toBe(true)
    expect(mayOpen(new URL(path, 'http://shop.example/'))).toBe(true)
    expect(mayOpen(new URL(`${path}?correo=ana@shop.example`, 'http://shop.example/'))).toBe(false)
  },
)

test.each([
  'Delete',
  'Log out',
  'Delete my account',
  'Cerrar sesión',
  'Supprimer',
  'Abmelden',
  'Konto löschen',
  'Sair',
])('a link or a button that says %s commands harm', (label) => {
  expect(commandsHarm(label)).toBe(true)
})

test.each([
  'SQL injection (DELETE)',
  'How to delete a row that nobody needs',
  'Deleted items',
  'Registro',
  'Entrar',
  '',
])('one that says "%s" does not', (label) => {
  expect(commandsHarm(label)).toBe(false)
})

test('where a sign-in is called otherwise it is known all the same', () => {
  expect(['/iniciar-sesion', '/entrar?next=/', '/connexion', '/anmeldung'].map(signsInAbroad)).toEqual(
    Array.from({ length: 4 }, () => true),
  )
  expect(['/', '/inicio', '/conexiones', '/accesorios'].map(signsInAbroad)).toEqual(
    Array.from({ length: 4 }, () => false),
  )
})

const form = (path: string, fields: readonly string[]) =>
  changesPassword({
    method: 'POST',
    path,
    parameters: [],
    kind: 'create',
    body: {
      type: 'form',
      fields: fields.map((name) => ({
        name: name.replace('*', ''),
        value: '',
        ...(name.includes('*') ? { schema: { type: 'string', format: 'password' } } : {}),
      })),
    },
  })

test('fields that hide what is typed choose a password whatever they are called, where nobody is named', () => {
  expect(form('/perfil', ['alt*', 'neu*', 'neu_wdh*'])).toBe(true)
  expect(form('/perfil', ['usuario', 'clave_actual*', 'clave_nueva*'])).toBe(true)
  expect(form('/registro', ['usuario', 'senha*', 'repetir_senha*'])).toBe(false)
  expect(form('/entrar', ['usuario', 'senha*'])).toBe(false)
})

test('an address of very many small words is looked through to its end, each only a few times', () => {
  expect(destroysAbroad(`/${'la-'.repeat(400_000)}`)).toBe(false)
})
