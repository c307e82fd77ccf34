// Words of Spanish, Portuguese, French, German, Italian and Dutch for what pages and buttons do, without accents.

import { percentDecoded } from '../../core/percent.ts'

/** Small letters without accents, and one hyphen where words are parted: `Cerrar sesión` and `cerrar%20sesi%C3%B3n` are `cerrar-sesion`. */
const plainly = (words: string): string =>
  percentDecoded(words)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s_'’-]+/g, '-')

/** One of these as a word of its own. */
const anyOf = (words: string): RegExp => new RegExp(`(?<![a-z])(${words.trim().split(/\s+/).join('|')})(?![a-z])`)

const PASSWORD =
  '(de-|da-|di-|la-|le-|il-|el-|a-|o-|mi-|sua-|tu-|das-){0,4}(contrasena|contrasenia|clave|senha|palavra-passe|mot-de-passe|mdp|passwort|kennwort|wachtwoord|password)'

const LEAVES = `
  (cerrar|finalizar|terminar|encerrar)-?(la-|a-)?(sesion|sessao) salir desconectar(se|me)? desconexion sair deslogar
  (se-)?deconnecter deconnexion fermer-(la-)?session abmelden abmeldung ausloggen
  esci disconnetti(ti)? uitloggen afmelden
`
const SIGN_OUT = anyOf(LEAVES)

const DESTROYS = anyOf(`
  ${LEAVES}
  eliminar? borrar suprimir vaciar restablecer reiniciar reinstalar desactivar deshabilitar revocar
  excluir apagar deletar remover esvaziar redefinir desativar revogar
  supprimer suppression effacer detruire vider reinitialiser reinitialisation desactiver revoquer
  loe?schen entfernen leeren zurue?cksetzen deaktivieren widerrufen kundigen
  eliminare? cancella(re)? rimuov(i|ere) svuota(re)? reimposta(re)? azzera(re)? disattiva(re)? revoca(re)?
  verwijder(en)? deactiveren
  (cambiar|modificar|actualizar|nueva|alterar|mudar|trocar|atualizar|nova|changer|modifier|nouveau|cambia|modifica|nuova|neues|wijzig|nieuw)-${PASSWORD}
  ${PASSWORD}-(ae?ndern|wechseln|wijzigen|aendern)
`)

const FORGOT = anyOf(`
  olvid(e|o|aste|ado|ada|ar) esquec(i|eu|ida|ido|er) oublie(e|r)? oubli vergessen vergeten dimenticat[ao]
  recuperar-?(la-|mi-|a-|sua-){0,4}(contrasena|clave|cuenta|acceso|senha|conta|acesso)
  recupera(zione)?-password recuperacion recuperacao
`)

const SIGN_IN = anyOf(`
  (iniciar|inicio|inicia|iniciar-a)-?(de-)?(sesion|sessao) ingresar ingreso acceder acceso entrar acessar autenticar(se)? autenticacion autenticacao
  (se-)?connecter connexion identification authentification anmelden anmeldung einloggen
  accedi accesso inloggen aanmelden
`)

const SIGN_UP = anyOf(`
  registr(o|ar|arse|ate|ati) crear-(una-)?cuenta nueva-cuenta cadastr(o|ar|e-se) criar-(uma-)?conta
  inscription s-inscrire creer-(un-)?compte registrier(en|ung) konto-(anlegen|erstellen) iscriviti registrazione registreren
`)

/** Whether such words end a session, delete, reset or change a password. */
export const destroysAbroad = (words: string): boolean => {
  const plain = plainly(words)
  return DESTROYS.test(plain) && !FORGOT.test(plain)
}

/** Whether they end a session. */
export const signsOutAbroad = (words: string): boolean => SIGN_OUT.test(plainly(words))

/** Whether they are for people who forgot their password. */
export const forgotAbroad = (words: string): boolean => FORGOT.test(plainly(words))

/** Whether they lead to where one signs in. */
export const signsInAbroad = (words: string): boolean => SIGN_IN.test(plainly(words))

/** Whether they lead to where one makes an account. */
export const signsUpAbroad = (words: string): boolean => SIGN_UP.test(plainly(words))
