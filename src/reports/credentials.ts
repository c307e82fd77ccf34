// Masks credentials in recorded requests and responses: a scanner that logs in writes its cookies and tokens into the report.

/** Headers that carry a credential, ignoring case. */
const NAME =
  '(?:proxy-)?authorization|(?:set-)?cookie2?|(?:x-)?(?:api|auth|access|session|csrf|xsrf|amz-security)-?(?:key|token)|x-vault-token|private-token'

const HIDDEN = '*****'

/** The longest value in characters; of a longer one everything to the end of the line is masked. */
const VALUE = `{0,8000}`

const asProperty = new RegExp(
  String.raw`(["'])(${NAME})\1(\s{0,20}:\s{0,20}\[?\s{0,20})(["'])((?:\\.|(?!\4)[^\\\r\n])${VALUE})`,
  'gi',
)
const inQuotes = new RegExp(String.raw`(["'])(${NAME})(:[ \t]{0,20})((?:\\.|(?!\1)[^\\\r\n])${VALUE})`, 'gi')
const asLine = new RegExp(String.raw`(^|[\s>])(${NAME})(:[ \t]{0,20})([^\r\n]*(?:\r?\n[ \t]+[^\r\n]*){0,50})`, 'gi')
const inAddress = /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@?#"'<>]{0,200}):[^\s/@"'<>]{1,500}@/gi
const ofCurl =
  /(\s(?:-u|--user|-b|--cookie|--oauth2-bearer)(?:\s+|=))('[^'\r\n]{0,8000}'?|"[^"\r\n]{0,8000}"?|[^\s'"]{1,8000})/g

/**
 * Masks a request, a response, a curl command or a text that contains them: the values of cookies and of headers that authenticate a caller.
 * The names and attributes of cookies, and the scheme of an Authorization header, are kept.
 */
export function withoutCredentials(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const kept = value
    .replace(
      asProperty,
      (_, quote, name, between, opening, held) => `${quote}${name}${quote}${between}${opening}${hidden(name, held)}`,
    )
    .replace(inQuotes, (_, quote, name, between, held) => `${quote}${name}${between}${hidden(name, held)}`)
    .replace(asLine, (_, before, name, between, held) => `${before}${name}${between}${hidden(name, held)}`)
    .replace(inAddress, `$1:${HIDDEN}@`)
  return /\bcurl\b/.test(kept) ? kept.replace(ofCurl, `$1${HIDDEN}`) : kept
}

function hidden(name: string, held: string): string {
  if (held.trim() === '') return held
  if (/authorization/i.test(name))
    return /^(?:[A-Za-z][\w-]{1,30}(?=\s+\S))/.exec(held)?.[0].concat(` ${HIDDEN}`) ?? HIDDEN
  if (!/cookie/i.test(name)) return HIDDEN
  return held
    .split(';')
    .map((part, index) => cookie(part, index, /^set-/i.test(name)))
    .join(';')
}

const attributes =
  /^\s*(?:path|domain|expires|max-age|secure|httponly|samesite|priority|partitioned|comment|version)\s*(?:=|$)/i

function cookie(part: string, index: number, isSet: boolean): string {
  if (isSet && index > 0 && attributes.test(part)) return part
  const [, name] = /^(\s*[^=\s]{1,200})=/.exec(part) ?? []
  if (name !== undefined) return `${name}=${HIDDEN}`
  // ZAP names the cookie alone.
  return isSet && /^[\w.-]{1,30}$/.test(part.trim()) ? part : part.replace(/\S+/g, HIDDEN)
}
